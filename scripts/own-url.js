// `import.meta.url` for files that are built as CommonJS. In Node, its own path counts, even if there are globals of pages too:
// jsdom's, or Electron's. Workers have no document, and some platforms no addresses either: there it is undefined, which only
// starting a worker would mind. As a function, because esbuild would leave a constant in files that do not need it.

const find = () => {
  const { document, location, process } = globalThis;
  if (process?.versions?.node)
    return new URL(`file:${__filename.replace(/[%#?\s]/g, encodeURIComponent)}`).href;
  return document ? (document.currentScript?.src ?? document.baseURI) : location?.href;
};

export const importMetaUrl = /* @__PURE__ */ find();
