/**
 * Pictures for the demo desk's site, drawn in the colours of the look. There are
 * no words in them, since each machine would set those in another face.
 */
const WIDTH = 1200;
const HEIGHT = 675;

const paper = '#fbfaf6';
const sunken = '#f3f1ea';
const rule = '#e2ded3';
const accent = '#0b6b4c';
const accentSoft = '#e3f0ea';
const brass = '#8a6420';
const brassSoft = '#f6ecd8';
const night = '#0e1512';
const dusk = '#12291f';
const lamp = '#d9b566';
const leaf = '#4cc38a';

export interface DemoPicture {
  readonly name: string;
  readonly alt: string;
  readonly svg: string;
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const at = (value: number) => value.toFixed(1);

function onGround(ground: string, drawing: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
    <rect width="100%" height="100%" fill="${ground}"/>${drawing}</svg>`;
}

function path(points: readonly (readonly [number, number])[]): string {
  return `M${points.map(([x, y]) => `${at(x)} ${at(y)}`).join('L')}`;
}

/** One curve of the look's ornament: a circle whose radius goes in and out `petals` times. */
function rosette(x: number, y: number, radius: number, petals: number, depth: number): string {
  const points = range(481).map((step) => {
    const angle = (step / 480) * 2 * Math.PI;
    const length = radius * (1 - depth + depth * Math.cos(petals * angle));
    return [x + length * Math.cos(angle), y + length * Math.sin(angle)] as const;
  });
  return `${path(points)}Z`;
}

function rosettes(x: number, y: number, radius: number, colour: string, width: number): string {
  const curves = range(9).map((layer) =>
    rosette(x, y, radius * (1 - layer * 0.085), 8 + layer * 2, 0.16 + layer * 0.018),
  );
  return `<path d="${curves.join('')}" fill="none" stroke="${colour}" stroke-width="${width}"/>`;
}

function rateLine(): string {
  const points = range(61).map((step) => {
    const swing =
      Math.sin(step * 0.42) * 34 + Math.sin(step * 1.13 + 1) * 17 + Math.sin(step * 2.9) * 8;
    return [90 + step * 16.4, 470 - step * 4.1 + swing] as const;
  });
  const [endX, endY] = points.at(-1) ?? [0, 0];
  const lines = range(6).map((line) => `M90 ${120 + line * 90}H1110`);
  return onGround(
    paper,
    `<path d="${lines.join('')}" stroke="${rule}" stroke-width="2"/>
    <path d="${path(points)}V570H90Z" fill="${accentSoft}"/>
    <path d="M90 ${at(endY)}H1110" stroke="${brass}" stroke-width="3" stroke-dasharray="4 12" stroke-linecap="round"/>
    <path d="${path(points)}" fill="none" stroke="${accent}" stroke-width="6" stroke-linejoin="round" stroke-linecap="round"/>
    <circle cx="${at(endX)}" cy="${at(endY)}" r="15" fill="${paper}" stroke="${accent}" stroke-width="7"/>`,
  );
}

function note(x: number, y: number, turn: number, ground: string, ink: string): string {
  return `<g transform="translate(${x} ${y}) rotate(${turn})">
    <rect x="-280" y="-150" width="560" height="300" rx="18" fill="${ground}" stroke="${ink}" stroke-width="4"/>
    <rect x="-256" y="-126" width="512" height="252" rx="8" fill="none" stroke="${ink}" stroke-width="1.5"/>
    ${rosettes(0, 0, 108, ink, 1.4)}
    ${rosettes(-190, -70, 40, ink, 0.9)}${rosettes(190, 70, 40, ink, 0.9)}
    <path d="M-232 86h104M-232 104h72M128 -104h104M160 -86h72" stroke="${ink}" stroke-width="6" stroke-linecap="round"/>
  </g>`;
}

function notes(): string {
  return onGround(
    sunken,
    `${rosettes(600, 338, 470, rule, 2)}
    ${note(455, 280, -8, brassSoft, brass)}${note(745, 405, 6, accentSoft, accent)}`,
  );
}

function quay(): string {
  const houses = [
    [90, 130, 240],
    [225, 100, 190],
    [330, 150, 285],
    [485, 120, 215],
    [610, 165, 320],
    [780, 110, 225],
    [895, 140, 265],
    [1040, 90, 195],
  ] as const;
  const walls = houses.map(
    ([x, width, height]) =>
      `M${x} 470V${470 - height}L${x + width / 2} ${430 - height}L${x + width} ${470 - height}V470Z`,
  );
  const windows = houses.flatMap(([x, width, height], house) =>
    range(Math.floor(height / 62)).flatMap((floor) =>
      [0.26, 0.62].map((side, place) => {
        const isLit = (house * 3 + floor * 2 + place * 5) % 4 !== 0;
        return `<rect x="${at(x + width * side)}" y="${at(488 - height + floor * 58)}" width="17" height="26" rx="2" fill="${isLit ? lamp : dusk}"/>`;
      }),
    ),
  );
  const lanterns = [222, 482, 777, 1037].map(
    (x) =>
      `<path d="M${x} 470v-78" stroke="${leaf}" stroke-width="5"/><circle cx="${x}" cy="384" r="30" fill="${lamp}" opacity="0.18"/><circle cx="${x}" cy="384" r="12" fill="${lamp}"/>`,
  );
  const ripples = range(26).map((step) => {
    const x = 60 + ((step * 173) % 1010);
    return `M${x} ${516 + ((step * 37) % 132)}h${34 + ((step * 29) % 62)}`;
  });
  return onGround(
    dusk,
    `<circle cx="1092" cy="120" r="58" fill="${lamp}"/><circle cx="1068" cy="106" r="54" fill="${dusk}"/>
    <path d="${walls.join('')}" fill="${night}"/>${windows.join('')}
    <path d="M0 470H1200V496H0Z" fill="${accent}"/><path d="M0 496H1200V675H0Z" fill="${night}"/>
    <path d="${ripples.join('')}" stroke="${lamp}" stroke-width="4" stroke-linecap="round" opacity="0.55"/>
    ${lanterns.join('')}`,
  );
}

/** A quarter of the hour, for as long as a price is held. */
function heldPrice(): string {
  const marks = range(60).map((minute) => {
    const angle = (minute / 60) * 2 * Math.PI;
    const from = minute % 5 === 0 ? 196 : 212;
    const [x, y] = [Math.sin(angle), -Math.cos(angle)];
    return `M${at(600 + x * from)} ${at(338 + y * from)}L${at(600 + x * 226)} ${at(338 + y * 226)}`;
  });
  return onGround(
    accentSoft,
    `${rosettes(600, 338, 430, '#cfe4da', 2)}
    <circle cx="600" cy="338" r="256" fill="${paper}" stroke="${accent}" stroke-width="6"/>
    <path d="M600 338V138A200 200 0 0 1 800 338Z" fill="${accent}"/>
    <path d="${marks.join('')}" stroke="${brass}" stroke-width="4" stroke-linecap="round"/>
    <path d="M600 338V166M600 338H752" stroke="${night}" stroke-width="10" stroke-linecap="round"/>
    <circle cx="600" cy="338" r="16" fill="${brass}"/>`,
  );
}

/** A price as the desk lays it out: what is sent, what goes off, what is left. */
function sum(): string {
  const rows = [
    [210, 190],
    [150, 110],
    [250, 84],
    [180, 132],
  ] as const;
  const lines = rows.map(([label, amount], row) => {
    const y = 178 + row * 72;
    return `<rect x="390" y="${y}" width="${label}" height="16" rx="8" fill="#cbc5b6"/>
      <rect x="${810 - amount}" y="${y}" width="${amount}" height="16" rx="8" fill="#4b5a53"/>
      <path d="M390 ${y + 40}H810" stroke="${rule}" stroke-width="2"/>`;
  });
  return onGround(
    brassSoft,
    `<rect x="336" y="84" width="528" height="548" rx="16" fill="#e9dcc0"/>
    <rect x="324" y="70" width="528" height="548" rx="16" fill="${paper}" stroke="${rule}" stroke-width="2"/>
    ${rosettes(588, 118, 30, accent, 0.8)}${lines.join('')}
    <rect x="366" y="482" width="444" height="78" rx="12" fill="${accentSoft}"/>
    <rect x="390" y="512" width="130" height="18" rx="9" fill="${accent}"/>
    <rect x="566" y="508" width="220" height="26" rx="13" fill="${accent}"/>`,
  );
}

function ways(): string {
  const places = [
    [170, 470],
    [330, 190],
    [560, 430],
    [640, 150],
    [860, 330],
    [1030, 500],
    [1040, 180],
  ] as const;
  const pairs = [
    [0, 1],
    [0, 2],
    [1, 3],
    [1, 2],
    [2, 4],
    [3, 4],
    [3, 6],
    [4, 5],
    [4, 6],
    [2, 5],
  ] as const;
  const arcs = pairs.map(([from, to]) => {
    const [[x1, y1], [x2, y2]] = [places[from], places[to]];
    return `M${x1} ${y1}Q${at((x1 + x2) / 2)} ${at((y1 + y2) / 2 - 90)} ${x2} ${y2}`;
  });
  const dots = places.map(([x, y], place) => {
    const [colour, radius] = place === 4 ? [lamp, 34] : [leaf, 24];
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}"/>
      <circle cx="${x}" cy="${y}" r="${radius + 14}" fill="none" stroke="${colour}" stroke-width="2"/>`;
  });
  return onGround(
    night,
    `<path d="${arcs.join('')}" fill="none" stroke="${leaf}" stroke-width="4" opacity="0.75"/>${dots.join('')}`,
  );
}

/** In the order in which the library lists them, the last one first. */
export const demoPictures = {
  ways: {
    name: 'Ways between currencies',
    alt: 'Seven points on a dark map, joined by curved lines; one of them glows like a lamp',
    svg: ways(),
  },
  sum: {
    name: 'A price as a sum',
    alt: 'A sheet of paper with four lines of a sum and the result in green',
    svg: sum(),
  },
  heldPrice: {
    name: 'A held price',
    alt: 'A clock whose first quarter of an hour is filled in green',
    svg: heldPrice(),
  },
  quay: {
    name: 'Lantern Quay at dusk',
    alt: 'Houses with lit windows and four lanterns along the water, under a crescent moon',
    svg: quay(),
  },
  notes: {
    name: 'Two notes',
    alt: 'Two engraved bank notes, one brass and one green, the second laid over the first',
    svg: notes(),
  },
  rateLine: {
    name: 'A month of a rate',
    alt: 'A rate’s line climbing over a month, its last value marked with a ring',
    svg: rateLine(),
  },
} satisfies Record<string, DemoPicture>;
