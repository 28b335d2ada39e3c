import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { guideNames, markdownOf, readGuides } from '../../../../../functions/api/api-docs/guides.ts'

const folder = join(import.meta.dirname, '../../../../../docs/guide')

describe('the guides', () => {
  it('are every file of docs/guide, and the failure codes', async () => {
    expect([...guideNames].sort()).toEqual(readdirSync(folder).map((file) => file.replace(/\.md$/, '')))
    expect((await readGuides()).map(({ name }) => name)).toEqual([...guideNames, 'failure-codes'])
  })

  it('have a title and a text, and link only to guides that exist', async () => {
    const guides = await readGuides()
    const names = guides.map(({ name }) => name)
    for (const guide of guides) {
      expect(guide.title, guide.name).toMatch(/^[A-Z][a-z ]/)
      expect(guide.text.length, guide.name).toBeGreaterThan(300)
      const targets = [...guide.text.matchAll(/\]\(#tag\/guide-([^)]+)\)/g)].map(([, name]) => name)
      expect(targets.filter((name) => !names.includes(name as string))).toEqual([])
      expect(guide.text).not.toMatch(/\]\((?!#tag\/|\/api\/|https?:)/)
    }
  })

  it('are answered as Markdown with links between files', async () => {
    const [started] = await readGuides()
    expect(markdownOf(started!)).toMatch(/^# Getting started\n\n[^]*\]\([a-z-]+\.md\)/)
  })

  it('contain no HTML, which the page would have to be protected from', async () => {
    for (const { name, text } of await readGuides())
      expect(text.replace(/```[^]*?```|`[^`]*`/g, ''), name).not.toMatch(/<\/?[a-z]/i)
  })
})
