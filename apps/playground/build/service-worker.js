// Keeps the page's files, so that it opens without a network. The build puts in their list and a name for it.

const FILES = '__FILES__';
// All pages of a server share their caches: this page's are those with its address.
const CACHES = `bspkit ${self.registration.scope} `;
const CACHE = `${CACHES}__VERSION__`;

self.addEventListener('install', (event) => {
  const keepAll = async () => {
    const cache = await caches.open(CACHE);
    // As the server has them now: what the browser remembers of the page may be that of an older release, whose files are gone.
    await cache.addAll(FILES.map((file) => new Request(file, { cache: 'no-cache' })));
    // So may what the server has, while a release is on its way to it: then the next visit tries again.
    const page = await (await cache.match('./')).text();
    const named = page.match(/\.\/assets\/[\w.-]+/g) ?? [];
    if (!named.every((file) => FILES.includes(file))) throw new Error('the page is that of another release');
  };
  event.waitUntil(keepAll());
});

// A new release takes over once no page of the old one is open, which may still want its files.
self.addEventListener('activate', (event) => {
  const removeOld = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(CACHES) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(removeOld());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  const find = async () => {
    const cache = await caches.open(CACHE);
    // The page is kept by the address of its folder, and links may name its file.
    const url = request.url.replace(/\/index\.html(?=[?#]|$)/, '/');
    // Servers may say that answers vary by headers which the page's requests have, but those that filled the cache lacked.
    return cache.match(url, { ignoreSearch: true, ignoreVary: true });
  };
  // Storage may fail, or have been taken away, long after it was given.
  const answer = async () => (await find().catch(() => {})) ?? fetch(request);
  event.respondWith(answer());
});
