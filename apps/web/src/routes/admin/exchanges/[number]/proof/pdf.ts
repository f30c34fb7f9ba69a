/**
 * PDF proofs, read by pdf.js in a worker of this site's own. Only page pictures
 * are drawn: no annotations, forms or scripts of the file come to life. The
 * library is large and most proofs are pictures, so it is fetched when needed.
 */
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { PdfData } from './pdf-data.ts';
import type { Size } from './zoom.ts';

/** PDF counts in points of 1/72 inch, CSS pixels in 1/96. */
const pixelsPerPoint = 96 / 72;
/** Canvases beyond this many pixels fail on some machines. */
const mostPixels = 16_000_000;

export interface Pdf {
  readonly pageCount: number;
  /** The size of a page in CSS pixels at a zoom of 1. */
  size(number: number): Promise<Size>;
  /** Draws a page at `scale`, as sharp as the screen; rejects when aborted. */
  draw(
    number: number,
    scale: number,
    canvas: HTMLCanvasElement,
    signal: AbortSignal,
  ): Promise<void>;
  close(): void;
}

/** @throws when the file is not a PDF, is broken or wants a password */
export async function openPdf(file: Blob): Promise<Pdf> {
  const [library, { default: workerUrl }] = await Promise.all([
    import('pdfjs-dist'),
    import('pdfjs-dist/build/pdf.worker.min.mjs?url'),
  ]);
  library.GlobalWorkerOptions.workerSrc = workerUrl;
  const task = library.getDocument({
    data: new Uint8Array(await file.arrayBuffer()),
    BinaryDataFactory: PdfData,
    standardFontDataUrl: '/',
    wasmUrl: '/',
    useWorkerFetch: false,
    enableXfa: false,
    // The same letters on every machine, whatever fonts it happens to have.
    useSystemFonts: false,
    verbosity: library.VerbosityLevel.ERRORS,
  });
  const document = await task.promise;
  return pdfOf(document, library.AnnotationMode.DISABLE);
}

function pdfOf(document: PDFDocumentProxy, annotationMode: number): Pdf {
  return {
    pageCount: document.numPages,

    async size(number) {
      const page = await document.getPage(number);
      const { width, height } = page.getViewport({ scale: pixelsPerPoint });
      return { width, height };
    },

    async draw(number, scale, canvas, signal) {
      const page = await document.getPage(number);
      signal.throwIfAborted();
      const sharpness = Math.min(devicePixelRatio || 1, 3);
      let viewport = page.getViewport({ scale: pixelsPerPoint * scale * sharpness });
      const excess = (viewport.width * viewport.height) / mostPixels;
      if (excess > 1) viewport = page.getViewport({ scale: viewport.scale / Math.sqrt(excess) });
      canvas.width = Math.ceil(viewport.width);
      canvas.height = Math.ceil(viewport.height);
      const drawing = page.render({ canvas, viewport, annotationMode });
      const cancel = () => drawing.cancel();
      signal.addEventListener('abort', cancel);
      try {
        await drawing.promise;
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },

    close() {
      void document.loadingTask.destroy();
    },
  };
}
