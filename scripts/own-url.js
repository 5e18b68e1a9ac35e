// `import.meta.url` for files that are built as CommonJS. In Node, its own path counts, even if there are globals of pages too:
// jsdom's, or Electron's. As a function, because esbuild would leave a constant in files that do not need it.

const find = () => {
  if (!globalThis.process?.versions?.node) return document.currentScript?.src ?? document.baseURI;
  return new URL(`file:${__filename.replace(/[%#?\s]/g, encodeURIComponent)}`).href;
};

export const importMetaUrl = /* @__PURE__ */ find();
