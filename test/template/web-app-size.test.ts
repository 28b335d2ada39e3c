import { gzipSync } from 'node:zlib'
import type { OutputChunk } from 'rolldown'
import { beforeAll, describe, expect, it } from 'vitest'
import { type BundledApp, bundleWebApp, importsOf, pageOf } from '../../infra/web-app/bundle-web-app.ts'

/** In KB after gzip. Raise one knowingly: each costs everybody who opens the app a moment. */
const firstLoadKb = 250
/** The largest shows mails, which DOMPurify reads. */
const screenKb = 64

/** A browser asks for few files at once; what is smaller than this is not worth one. */
const firstFiles = 10
const smallestKb = 5

let app: BundledApp
let sizes: ReadonlyMap<string, number>
beforeAll(async () => {
  app = await bundleWebApp({ isForProduction: true })
  sizes = new Map(
    [...app.files, await pageOf(app)].map(({ name, contents }) => [
      name,
      gzipSync(contents, { level: 9 }).length / 1000,
    ]),
  )
})

const sum = (names: Iterable<string>): number =>
  [...names].reduce((total, name) => total + (sizes.get(name) ?? Infinity), 0)

describe('the size of the web app', () => {
  it('lets the first load be small', () => {
    const { main, styles, chunks } = app.first
    const words = [...sizes.keys()].find((name) => name.startsWith('en-')) as string
    expect(sum([main, styles, ...chunks, 'index.html', words])).toBeLessThanOrEqual(firstLoadKb)
  })

  it('loads few files first', () => {
    const { main, styles, chunks } = app.first
    expect([main, styles, ...chunks].length).toBeLessThanOrEqual(firstFiles)
    // The entry and the functions of the bundler stand alone.
    expect(chunks.filter((name) => sum([name]) < smallestKb).length).toBeLessThanOrEqual(1)
  })

  it('lets each screen be small', () => {
    const first = new Set([app.first.main, ...app.first.chunks])
    const screens = app.chunks.filter(({ facadeModuleId }) => facadeModuleId?.endsWith('-view.tsx'))
    expect(screens.length).toBeGreaterThan(4)
    const broughtBy = (screen: OutputChunk) =>
      [screen.fileName, ...importsOf(screen, app.chunks)].filter((name) => !first.has(name))
    const large = screens
      .map((screen) => [screen.fileName, sum(broughtBy(screen))] as const)
      .filter(([, kb]) => kb > screenKb)
    expect(large).toEqual([])
  })
})
