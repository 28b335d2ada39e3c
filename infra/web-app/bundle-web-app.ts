import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { BuildOptions, BuildResult, Metafile } from 'esbuild'
import { directImports } from './direct-imports.ts'

export const root = join(import.meta.dirname, '../..')

/** The recipe of the app: one module per screen that is loaded when it is opened, named by its content. */
export const webBundling = {
  absWorkingDir: root,
  entryPoints: { main: 'web/main.tsx', styles: 'web/styles.css', portal: 'web/portal/portal.css' },
  outdir: join(root, '.build/web'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  // What has Popover, :has() and import maps; no older browser gets security updates.
  target: ['chrome120', 'firefox121', 'safari17.2'],
  jsx: 'automatic',
  conditions: ['module'],
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.svg': 'file', '.woff2': 'file' },
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [directImports(root)],
  metafile: true,
  write: false,
} satisfies BuildOptions

/** A file of the app as it is served. */
export interface WebFile {
  readonly name: string
  readonly contents: Uint8Array
}

/** The files of a build, and the page that loads them. `base`: what the page itself adds, such as reloading. */
export async function filesOf(result: BuildResult<typeof webBundling>, added = ''): Promise<readonly WebFile[]> {
  const files = result.outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }))
  const first = firstLoad(result.metafile)
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
  return [...files, { name: 'index.html', contents: Buffer.from(page) }]
}

/** What a browser loads before the first screen: the entries, and the chunks that they import at once. */
export function firstLoad({ outputs }: Metafile): {
  main: string
  styles: string
  /** The styles of the portal, which come with its screens. */
  portal: string
  chunks: readonly string[]
} {
  const entry = (of: string): string => {
    const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === of)?.[0]
    if (found === undefined) throw new Error(`esbuild made nothing of ${of}`)
    return found
  }
  const main = entry('web/main.tsx')
  const seen = new Set<string>()
  const visit = (path: string): void => {
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind !== 'import-statement' || seen.has(next)) continue
      seen.add(next)
      visit(next)
    }
  }
  visit(main)
  return {
    main: basename(main),
    styles: basename(entry('web/styles.css')),
    portal: basename(entry('web/portal/portal.css')),
    chunks: [...seen].map((path) => basename(path)),
  }
}
