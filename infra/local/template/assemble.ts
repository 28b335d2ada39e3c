import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'

/** What an assembly depends on. Synthesis takes seconds, so its result is cached under a hash of these files. */
const inputs = [
  'shared',
  'functions',
  'infra',
  'esbuild.config.ts',
  'cdk.json',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]
/** The local cloud is in no bundle and no template, so changes to it need no synthesis. */
const leftOut = join('infra', 'local')
const keptAssemblies = 3

/** What `cdk deploy` would upload: the template, and one folder `asset.<hash>` per bundle. */
export interface Assembly {
  readonly templateFile: string
  readonly assetDirectory: string
}

export interface AssembleOptions {
  /** The root of the repository. */
  readonly root: string
  /** Writes the CDK assembly of `root` into `outDirectory`. */
  readonly synthesize: (root: string, outDirectory: string) => Promise<void>
  readonly report: (line: string) => void
}

const here: AssembleOptions = { root: join(import.meta.dirname, '../../..'), synthesize: runApp, report: console.log }

/**
 * Returns the assembly of the current sources, from `.build/<hash>` or newly built (without account and network).
 * Processes may build at the same time: each builds in its own folder and the first rename wins.
 */
export async function assemble(options: Partial<AssembleOptions> = {}): Promise<Assembly> {
  const { root, synthesize, report } = { ...here, ...options }
  const store = join(root, '.build')
  const directory = join(store, fingerprint(root))
  const kept = openAssembly(directory)
  if (kept !== undefined) return kept

  report('Building the functions and the template ...')
  mkdirSync(store, { recursive: true })
  const draft = mkdtempSync(join(store, `draft-${process.pid}-`))
  try {
    await synthesize(root, join(draft, 'assembly'))
    // The sources changed while the draft was built, so it matches neither version.
    if (fingerprint(root) !== basename(directory)) return await assemble(options)
    mkdirSync(join(draft, 'in-use'))
    moveUnlessExists(draft, directory)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  const made = openAssembly(directory)
  if (made === undefined) throw new Error(`The template was not written to ${directory}`)
  prune(store)
  return made
}

/** SHA-256 over the names and contents of everything the assembly depends on. */
export function fingerprint(root: string): string {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename))
  for (const file of inputs.flatMap((input) => filesUnder(root, input)).toSorted()) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex').slice(0, 20)
}

function filesUnder(root: string, path: string): string[] {
  if (path === leftOut) return []
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => filesUnder(root, join(path, name)))
}

/** Marks an assembly as used by this process, which protects it from pruning. Undefined when there is none. */
function openAssembly(directory: string): Assembly | undefined {
  try {
    writeFileSync(join(directory, 'in-use', String(process.pid)), '')
    utimesSync(directory, new Date(), new Date())
    const assetDirectory = join(directory, 'assembly')
    const template = readdirSync(assetDirectory).find((name) => name.endsWith('.template.json'))
    return template === undefined ? undefined : { templateFile: join(assetDirectory, template), assetDirectory }
  } catch (cause) {
    if (isCode(cause, 'ENOENT')) return undefined
    throw cause
  }
}

function moveUnlessExists(draft: string, directory: string): void {
  try {
    renameSync(draft, directory)
  } catch (cause) {
    // Another process was faster; its assembly has the same content.
    if (!isCode(cause, 'ENOTEMPTY') && !isCode(cause, 'EEXIST')) throw cause
  }
}

function prune(store: string): void {
  const names = readdirSync(store)
  const abandoned = names.filter((name) => !isAlive(Number(/^draft-(\d+)-/.exec(name)?.[1] ?? process.pid)))
  const aged = names
    .filter((name) => /^[0-9a-f]{20}$/.test(name))
    .map((name) => ({ name, usedAtMs: statSync(join(store, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.usedAtMs - a.usedAtMs)
    .slice(keptAssemblies)
    .map(({ name }) => name)
    .filter((name) => !isInUse(join(store, name)))
  for (const name of [...abandoned, ...aged]) rmSync(join(store, name), { recursive: true, force: true })
}

function isInUse(directory: string): boolean {
  const users = join(directory, 'in-use')
  return existsSync(users) && readdirSync(users).some((pid) => isAlive(Number(pid)))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return isCode(cause, 'EPERM')
  }
}

/** Runs the CDK app as the CDK command line does, in a child process: that frees its 200 MB afterwards. */
async function runApp(root: string, outDirectory: string): Promise<void> {
  const { context } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')) as { context: object }
  const env = {
    ...process.env,
    CDK_OUTDIR: outDirectory,
    CDK_CONTEXT_JSON: JSON.stringify(context),
    BUNDLE_DIR: `${outDirectory}-bundles`,
  }
  const app = spawn(process.execPath, ['infra/app.ts'], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  app.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const code = await new Promise((resolve, reject) => app.once('error', reject).once('close', resolve))
  rmSync(`${outDirectory}-bundles`, { recursive: true, force: true })
  if (code !== 0) throw new Error(`The functions or the template could not be built:\n${complaint.trim()}`)
}

const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === code
