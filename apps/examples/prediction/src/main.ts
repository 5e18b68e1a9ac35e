import { startServer } from './server.ts';

const port = Number(process.env.PORT ?? 8080);
const script = new URL('./page/client.global.js', import.meta.url);
const bad = { delay: 100, loss: 0.05, speed: 1, seed: 1 };

startServer({ port, script, ...bad }).then(
  ({ url }) =>
    console.log(`Play at ${url}: 100 ms each way, 5 % of all messages lost. Ctrl+C ends the server.`),
  (error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
