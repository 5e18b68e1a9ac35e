// `import.meta.url` of files that are built as CommonJS. Where there is Node, its own path counts, whatever globals of pages
// there are besides: jsdom's, or Electron's. As a function, because esbuild would leave a constant in files that need none.

const find = () => {
  if (!globalThis.process?.versions?.node) return document.currentScript?.src ?? document.baseURI;
  return new URL(`file:${__filename.replace(/[%#?\s]/g, encodeURIComponent)}`).href;
};

export const importMetaUrl = /* @__PURE__ */ find();
