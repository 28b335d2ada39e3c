import { describe, expect, it } from 'vitest'
import { guideNames } from '../../../../functions/api/api-docs/guides.ts'
import { frontPageHtml, frontPageJson } from '../../../../infra/local/front-page/front-page.ts'

const facts = { tenant: 'demo', administrator: 'ada@example.com', tables: [{ name: 'requests', label: 'Requests' }] }
const guide = /^\/api\/docs\/guide\/([a-z-]+)$/

describe('the page at /_local/start', () => {
  const html = frontPageHtml(facts, 'http://localhost:3000')
  const linked = [...html.matchAll(/href="([^"]+)"/g)].map(([, path]) => guide.exec(path as string)?.[1])

  it('links to every guide, and to none that there is not', () => {
    expect(linked.filter((name) => name !== undefined).toSorted()).toEqual([...guideNames, 'failure-codes'].toSorted())
  })

  it('says to programs where the same guides are', () => {
    const { data } = frontPageJson(facts) as { data: { links: Record<string, string>; guides: Record<string, string> } }
    const paths = [...Object.values(data.links), ...Object.values(data.guides)]
    const named = paths.map((path) => guide.exec(path)?.[1]).filter((name) => name !== undefined)
    expect(named.toSorted()).toEqual([...guideNames, 'failure-codes'].toSorted())
  })

  it('shows no table of a company without any, and how to make one', () => {
    const empty = frontPageHtml({ ...facts, tables: [] }, 'http://localhost:3000')
    expect(empty).not.toContain('The demo')
    expect(empty).toContain('http://localhost:3000/api/sys/entities')
  })

  it('escapes what is not its own', () => {
    const hostile = frontPageHtml({ ...facts, tenant: '<b>', administrator: `o'neill&co@example.com` }, 'http://x')
    expect(hostile).toContain('<b>&lt;b&gt;</b>')
    expect(hostile).not.toContain("o'neill")
  })
})
