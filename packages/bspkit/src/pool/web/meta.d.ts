/** Where a module was loaded from, in browsers and in Node. */
interface ImportMeta {
  url: string;
}
