import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { type OutputChunk, rolldown } from 'rolldown'
import { viteImportGlobPlugin } from 'rolldown/experimental'

export const root = join(import.meta.dirname, '../..')

/** What has Popover, :has() and import maps; no older browser gets security updates. */
const target = ['chrome120', 'firefox121', 'safari17.2']

/**
 * The files of the first load: a package that changes with an upgrade only stays in the cache of browsers when the app
 * changes. What none of them names is in the last.
 */
const firstFiles = [
  ['react', /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\//],
  ['tanstack', /node_modules\/@tanstack\//],
  ['words', /node_modules\/(i18next|react-i18next|html-parse-stringify|void-elements)\//],
  ['mantine', /node_modules\//],
  ['app', /./],
] as const

interface Options {
  /** As browsers get it, without what helps developers. */
  readonly isForProduction: boolean
}

/** A file of the app as it is served. */
export interface WebFile {
  readonly name: string
  readonly contents: Uint8Array
}

export interface BundledApp {
  readonly files: readonly WebFile[]
  readonly chunks: readonly OutputChunk[]
  /** Names of what a browser loads before the first screen. */
  readonly first: FirstLoad
}

interface FirstLoad {
  readonly main: string
  readonly styles: string
  /** The styles of the portal, which come with its screens. */
  readonly portal: string
  /** What `main` imports at once. */
  readonly chunks: readonly string[]
}

/** Bundles the app: a module per screen that is loaded when it is opened; files are named by their content. */
export async function bundleWebApp({ isForProduction }: Options): Promise<BundledApp> {
  const [chunks, styles] = await Promise.all([bundleScripts(isForProduction), bundleStyles(isForProduction)])
  const nameOfStyles = (entry: string): string => styles.find(({ name }) => name.startsWith(`${entry}-`))?.name ?? ''
  const main = chunks.find(({ isEntry, name }) => isEntry && name === 'main')
  if (!main) throw new Error('web/main.tsx made no file')
  return {
    files: [...chunks.map(({ fileName, code }) => ({ name: fileName, contents: Buffer.from(code) })), ...styles],
    chunks,
    first: {
      main: main.fileName,
      styles: nameOfStyles('styles'),
      portal: nameOfStyles('portal'),
      chunks: [...importsOf(main, chunks)],
    },
  }
}

async function bundleScripts(isForProduction: boolean): Promise<readonly OutputChunk[]> {
  const bundle = await rolldown({
    cwd: root,
    input: { main: 'web/main.tsx' },
    platform: 'browser',
    plugins: [viteImportGlobPlugin({ root })],
    tsconfig: join(root, 'web/tsconfig.json'),
    resolve: { conditionNames: ['module', 'browser', 'import'] },
    transform: {
      target,
      define: { 'process.env.NODE_ENV': JSON.stringify(isForProduction ? 'production' : 'development') },
    },
    // Packages mark what runs in a browser with "use client", which means nothing here.
    checks: { moduleLevelDirective: false },
  })
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    hashCharacters: 'base36',
    comments: false,
    minify: isForProduction,
    sourcemap: isForProduction ? false : 'inline',
    codeSplitting: {
      groups: firstFiles.map(([name, test]) => ({ name, test, tags: ['$initial'] })),
    },
  })
  await bundle.close()
  return output.filter((one) => one.type === 'chunk')
}

async function bundleStyles(isForProduction: boolean): Promise<readonly WebFile[]> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { styles: 'web/styles.css', portal: 'web/portal/portal.css' },
    outdir: join(root, '.build/web'),
    bundle: true,
    target: [...target],
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'file', '.woff2': 'file' },
    legalComments: 'none',
    logLevel: 'warning',
    minify: isForProduction,
    write: false,
  })
  return outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }))
}

/** The names of the files that come with one, without its own. */
export function importsOf(chunk: OutputChunk, chunks: readonly OutputChunk[]): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = ({ imports }: OutputChunk): void => {
    for (const name of imports) {
      const next = chunks.find(({ fileName }) => fileName === name)
      if (!next || found.has(name)) continue
      found.add(name)
      visit(next)
    }
  }
  visit(chunk)
  return found
}

/** The page that loads the app. `added`: what it loads besides, such as what reloads it. */
export async function pageOf({ first }: BundledApp, added = ''): Promise<WebFile> {
  const tags = [
    `<link rel="stylesheet" href="/assets/${first.styles}">`,
    // Enabled, and only then loaded, by the screens of the portal.
    `<link id="portal-styles" rel="stylesheet" href="/assets/${first.portal}" disabled>`,
    ...first.chunks.map((name) => `<link rel="modulepreload" href="/assets/${name}">`),
    `<script type="module" src="/assets/${first.main}"></script>`,
    added,
  ]
  const template = await readFile(join(root, 'web/index.html'), 'utf8')
  const page = template.replace('<!-- files -->', tags.join('\n    ').trimEnd())
  return { name: 'index.html', contents: Buffer.from(page) }
}
