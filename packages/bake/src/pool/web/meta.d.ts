/** Where a module was loaded from, in browsers and Node alike. */
interface ImportMeta {
  url: string;
}
