import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { production } from '../../infra/web-app/build-web-app.ts'
import { filesOf, firstLoad, webBundling } from '../../infra/web-app/bundle-web-app.ts'

/** In KB after gzip. Raise one knowingly: each costs everybody who opens the app a moment. */
const firstLoadKb = 250
const screenKb = 60

let sizes: ReadonlyMap<string, number>
let first: ReturnType<typeof firstLoad>
let outputs: Readonly<
  Record<string, { readonly entryPoint?: string; readonly imports: readonly { path: string; kind: string }[] }>
>
beforeAll(async () => {
  const result = await build({ ...webBundling, minify: true, define: production })
  first = firstLoad(result.metafile)
  outputs = result.metafile.outputs
  sizes = new Map(
    (await filesOf(result)).map(({ name, contents }) => [name, gzipSync(contents, { level: 9 }).length / 1000]),
  )
})

const sum = (names: Iterable<string>): number =>
  [...names].reduce((total, name) => total + (sizes.get(name) ?? Infinity), 0)
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The files that a chunk brings along, beyond those of the first load. */
function broughtBy(path: string, seen = new Set<string>()): Set<string> {
  const name = nameOf(path)
  if (seen.has(name) || name === first.main || first.chunks.includes(name)) return seen
  seen.add(name)
  for (const { path: next, kind } of outputs[path]?.imports ?? [])
    if (kind === 'import-statement') broughtBy(next, seen)
  return seen
}

describe('the size of the web app', () => {
  it('lets the first load be small', () => {
    const loaded = [first.main, first.styles, ...first.chunks, 'index.html']
    const words = [...sizes.keys()].find((name) => name.startsWith('en-')) as string
    expect(sum([...loaded, words])).toBeLessThanOrEqual(firstLoadKb)
  })

  it('lets each screen be small', () => {
    const screens = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint?.endsWith('-view.tsx'))
    expect(screens.length).toBeGreaterThan(4)
    const large = screens
      .map(([path]) => [nameOf(path), sum(broughtBy(path))] as const)
      .filter(([, kb]) => kb > screenKb)
    expect(large).toEqual([])
  })
})
