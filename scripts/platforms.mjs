// For which platforms packages are, by their names.
const OS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const CPU = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** Where a platform's package runs, according to its name, as the lock file has it; null for any other name. */
export function platformOf(name) {
  const usual = name.replace('windows', 'win32').replace('aarch64', 'arm64').replace(/-64$/, '-x64');
  const words = usual.split('/').pop().split('-');
  // Android's are called linux-x64-android.
  const os = words.findLast((word) => OS.includes(word));
  const cpu = words.find((word) => CPU.includes(word));
  if (cpu === 'wasm32') return { cpu: [cpu] };
  if (!os || !cpu) return null;
  const libc =
    os !== 'linux' ? undefined : /musl/.test(name) ? 'musl' : /gnu/.test(name) ? 'glibc' : undefined;
  return { os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) };
}
