import { server } from './server.js';

const [port = '8080'] = process.argv.slice(2);

server.on('error', ({ message }) => {
  console.error(message); // such as a port that is taken
  process.exitCode = 1;
});
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/`));
