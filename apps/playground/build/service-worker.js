// Keeps the page's files, so that it opens without a network. The build puts in their list and a name for it.

const FILES = '__FILES__';
const CACHE = 'bspkit-__VERSION__';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

// A new release takes over once no page of the old one is open, which may still want its files.
self.addEventListener('activate', (event) => {
  const removeOld = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith('bspkit-') && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(removeOld());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  const answer = async () => {
    const cache = await caches.open(CACHE);
    // Servers may say that answers vary by headers which the page's requests have, but those that filled the cache lacked.
    const kept = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
    return kept ?? fetch(request);
  };
  event.respondWith(answer());
});
