import { server } from './server.js';

server.listen(8080, '127.0.0.1', () => console.log('http://127.0.0.1:8080/'));
