/**
 * The fonts that PDF readers must bring along and the decoders of scanned pages,
 * as files of this site. pdf.js asks for them by name and only when a document
 * needs them.
 */
import { builtFile } from '#lib/api/client.ts';
import jbig2 from 'pdfjs-dist/wasm/jbig2.wasm?url';
import openjpeg from 'pdfjs-dist/wasm/openjpeg.wasm?url';
import qcms from 'pdfjs-dist/wasm/qcms_bg.wasm?url';
import dingbats from 'pdfjs-dist/standard_fonts/FoxitDingbats.pfb?url';
import fixed from 'pdfjs-dist/standard_fonts/FoxitFixed.pfb?url';
import fixedBold from 'pdfjs-dist/standard_fonts/FoxitFixedBold.pfb?url';
import fixedBoldItalic from 'pdfjs-dist/standard_fonts/FoxitFixedBoldItalic.pfb?url';
import fixedItalic from 'pdfjs-dist/standard_fonts/FoxitFixedItalic.pfb?url';
import serif from 'pdfjs-dist/standard_fonts/FoxitSerif.pfb?url';
import serifBold from 'pdfjs-dist/standard_fonts/FoxitSerifBold.pfb?url';
import serifBoldItalic from 'pdfjs-dist/standard_fonts/FoxitSerifBoldItalic.pfb?url';
import serifItalic from 'pdfjs-dist/standard_fonts/FoxitSerifItalic.pfb?url';
import symbol from 'pdfjs-dist/standard_fonts/FoxitSymbol.pfb?url';
import sansBold from 'pdfjs-dist/standard_fonts/LiberationSans-Bold.ttf?url';
import sansBoldItalic from 'pdfjs-dist/standard_fonts/LiberationSans-BoldItalic.ttf?url';
import sansItalic from 'pdfjs-dist/standard_fonts/LiberationSans-Italic.ttf?url';
import sans from 'pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf?url';

const addresses = new Map<string, string>([
  ['jbig2.wasm', jbig2],
  ['openjpeg.wasm', openjpeg],
  ['qcms_bg.wasm', qcms],
  ['FoxitDingbats.pfb', dingbats],
  ['FoxitFixed.pfb', fixed],
  ['FoxitFixedBold.pfb', fixedBold],
  ['FoxitFixedBoldItalic.pfb', fixedBoldItalic],
  ['FoxitFixedItalic.pfb', fixedItalic],
  ['FoxitSerif.pfb', serif],
  ['FoxitSerifBold.pfb', serifBold],
  ['FoxitSerifBoldItalic.pfb', serifBoldItalic],
  ['FoxitSerifItalic.pfb', serifItalic],
  ['FoxitSymbol.pfb', symbol],
  ['LiberationSans-Bold.ttf', sansBold],
  ['LiberationSans-BoldItalic.ttf', sansBoldItalic],
  ['LiberationSans-Italic.ttf', sansItalic],
  ['LiberationSans-Regular.ttf', sans],
]);

/** What pdf.js calls for a file by its name; a rejection makes it do without. */
export class PdfData {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const address = addresses.get(filename);
    if (address === undefined) throw new Error(`No ${filename} is kept here.`);
    return builtFile(address);
  }
}
