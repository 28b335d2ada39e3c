import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { pageFile, pageHtml } from '../../../../../functions/api/api-docs/page-files.ts'
import { pageFiles, type PageFile } from '../../../../../functions/api/api-docs/routes.ts'

const names = Object.keys(pageFiles) as PageFile[]
const library = names.find((name) => name.startsWith('scalar-')) as PageFile
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('the files of the reference', () => {
  it('include the library as it was published', async () => {
    const checksum = sha256(gunzipSync((await pageFile(library)).bytes))
    const licence = readFileSync(
      join(import.meta.dirname, '../../../../../functions/api/api-docs/page/scalar-api-reference.LICENSE'),
      'utf8',
    )
    expect(checksum).toBe('bf091006bdc3af6067af77c2f534812e3e633e94a94e87138069f570f33b762c')
    expect(licence).toContain(checksum)
    expect(licence).toContain('MIT License')
  })

  it.each(names)('%s fits into an answer of Lambda as Base64', async (name) => {
    expect((await pageFile(name)).bytes.byteLength * (4 / 3)).toBeLessThan(4_000_000)
  })

  it('are all that the page names, and it names nothing of another host', async () => {
    const html = await pageHtml()
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string)
    expect(named.filter((address) => !address.startsWith('data:'))).toEqual([
      'docs/page.css',
      'docs/guide/getting-started.md',
      'openapi.json',
      `docs/${library}`,
      'docs/page.js',
    ])
    for (const name of ['page.js', 'page.css'] as const)
      expect(gunzipSync((await pageFile(name)).bytes).toString(), name).not.toMatch(/https?:|@import|url\(/)
  })
})
