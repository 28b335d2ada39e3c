import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumFlags } from './support/chromium-flags.ts'
import { type GridPage, serveGridPage } from './support/grid-page.ts'
import { type RunningService, startService } from './support/start-service.ts'

/** Pictures are taken when a folder for them is named. */
const pictures = process.env['GRID_PICTURES']
const password = 'a lamp in room seven'
const count = 3000
const profile = mkdtempSync(join(tmpdir(), 'ag-grid-'))
const complaints: string[] = []
let service: RunningService
let served: GridPage
let browser: BrowserContext
let page: Page
let token: string

/** What the tests compute their expectations from. */
const row = (n: number) => ({
  title: `Order ${n}`,
  status: n % 7 === 0 ? null : n % 2 === 0 ? 'open' : 'done',
  category: n % 5 === 0 ? null : n % 3 === 0 ? '' : `C${n % 4}`,
  priority: 1 + (n % 5),
  amount: n % 11 === 0 ? null : n / 4,
  due: `2026-${String(1 + (n % 12)).padStart(2, '0')}-15`,
})
const rows = Array.from({ length: count }, (_, n) => row(n))

const columnDefs = [
  { field: 'id', filter: 'agNumberColumnFilter', cellDataType: 'number' },
  { field: 'data.title', headerName: 'Title', filter: 'agTextColumnFilter', cellDataType: 'text' },
  {
    field: 'data.status',
    headerName: 'Status',
    filter: 'agSetColumnFilter',
    filterParams: { values: ['open', 'done', null] },
  },
  { field: 'data.category', headerName: 'Category', filter: 'agTextColumnFilter', cellDataType: 'text' },
  { field: 'data.priority', headerName: 'Priority', filter: 'agNumberColumnFilter', cellDataType: 'number' },
  { field: 'data.amount', headerName: 'Amount', filter: 'agNumberColumnFilter', cellDataType: 'number' },
  {
    field: 'data.due',
    headerName: 'Due',
    filter: 'agDateColumnFilter',
    cellDataType: 'dateString',
    filterParams: { filterOptions: ['equals', 'lessThan', 'thisMonth'] },
  },
]
type Column = Record<string, unknown>
const columns = (changes: Readonly<Record<string, Column>> = {}): Column[] =>
  columnDefs.map((column) => ({ ...column, ...changes[column.field] }))

async function api(method: string, path: string, body: object): Promise<any> {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.json()
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(text)}`)
  return text
}

beforeAll(async () => {
  service = await startService({ ADMIN_PASSWORD: password, SEED: 'none' })
  token = ''
  token = (await api('POST', '/api/login-local', { email: 'admin@example.com', password })).token
  await api('POST', '/api/sys/entities', {
    name: 'orders',
    table_fields: [
      { name: 'title', type: 'text' },
      { name: 'status', type: 'value_list', options: [{ slug: 'open' }, { slug: 'done' }] },
      { name: 'category', type: 'text' },
      { name: 'priority', type: 'integer' },
      { name: 'amount', type: 'float' },
      { name: 'due', type: 'date' },
    ],
  })
  for (let from = 0; from < count; from += 1000) {
    const { data } = await api('POST', '/api/e/orders/import', { rows: rows.slice(from, from + 1000) })
    if (data.job_id !== undefined) await finished(data.job_id)
  }
  served = await serveGridPage(service.url)
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    args: chromiumFlags,
    viewport: { width: 1280, height: 800 },
  })
  // Without a licence the enterprise grid says so, as errors of the console: only failures of scripts count.
  browser.on('weberror', (failure) => complaints.push(String(failure.error())))
  page = await browser.newPage()
}, 240_000)

beforeEach(async () => {
  await page.goto(served.url)
  served.requests.length = 0
})

afterAll(async () => {
  await browser?.close()
  served?.close()
  await service?.stop()
  rmSync(profile, { recursive: true, force: true })
})

async function finished(id: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`${service.url}/api/sys/jobs/${id}`, { headers: { authorization: `Bearer ${token}` } })
    const { status } = ((await answer.json()) as { data: { status: string } }).data
    if (status === 'done') return
    if (status === 'failed') throw new Error(`job ${id} failed`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

const open = (options: object) => page.evaluate(`open('orders', ${JSON.stringify(token)}, ${JSON.stringify(options)})`)
/** Waits until the grid has no request in flight and shows no row that is loading; asks for it twice. */
async function settled(): Promise<void> {
  for (let calm = 0; calm < 3;) {
    const before = served.requests.length
    await page.waitForFunction(`!document.querySelector('.ag-skeleton-container, .ag-loading')`)
    await page.waitForTimeout(150)
    calm = served.requests.length === before && before > 0 ? calm + 1 : 0
  }
}
/** What the grid shows in a column, from the top. */
const shown = (column: string): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('.ag-row')].sort((a, b) => a.getAttribute('row-index') - b.getAttribute('row-index')).flatMap((row) => { const cell = [...document.querySelectorAll('.ag-row[row-index="' + row.getAttribute('row-index') + '"] [col-id="${column}"]')][0]; return cell ? [cell.innerText.trim()] : [] })`,
  )
const rowCount = (): Promise<number> => page.evaluate('api.getDisplayedRowCount()')
const expand = (index: number) => page.evaluate(`api.getDisplayedRowAtIndex(${index}).setExpanded(true)`)
const picture = async (name: string): Promise<void> => {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
}
const statuses = (): (number | undefined)[] => [...new Set(served.requests.map(({ status }) => status))]
const filterBy = async (filterModel: object): Promise<number> => {
  await page.evaluate(`api.setFilterModel(${JSON.stringify(filterModel)})`)
  await settled()
  expect(statuses()).toEqual([200])
  return rowCount()
}

describe('the grid with rows of the service', () => {
  it('scrolls through all rows with one request for each block', async () => {
    await open({ columnDefs: columns(), initialState: { sort: { sortModel: [{ colId: 'id', sort: 'asc' }] } } })
    await settled()
    expect(await rowCount()).toBe(count)
    expect((await shown('data.title')).slice(0, 3)).toEqual(['Order 0', 'Order 1', 'Order 2'])
    for (const index of [1200, 2999]) {
      await page.evaluate(`api.ensureIndexVisible(${index})`)
      await settled()
      expect(await shown('data.title')).toContain(`Order ${index}`)
    }
    const blocks = served.requests.map(({ body }) => body.startRow)
    expect(blocks.length).toBe(new Set(blocks).size)
    expect(blocks.length).toBeLessThan(10)
    expect(statuses()).toEqual([200])
    await picture('rows')
  })

  it('shows groups of two levels with their aggregates, opens those of nothing, and asks for each level once', async () => {
    await open({
      columnDefs: columns({
        'data.status': { rowGroup: true, hide: true },
        'data.category': { rowGroup: true, hide: true },
        'data.amount': { aggFunc: 'sum' },
        'data.priority': { aggFunc: 'avg' },
        'data.due': { aggFunc: 'max' },
        'data.title': { aggFunc: 'first' },
      }),
      autoGroupColumnDef: { sort: 'asc', width: 260 },
    })
    await settled()
    expect((await shown('ag-Grid-AutoColumn')).map((text) => text.split('\n')[0])).toEqual(['done', 'open', '(Blanks)'])
    expect(served.requests).toHaveLength(1)
    const done = rows.filter(({ status }) => status === 'done')
    const nothing = rows.filter(({ status }) => status === null)
    const sum = (of: typeof rows) => of.reduce((total, { amount }) => total + (amount ?? 0), 0)
    expect((await shown('data.amount')).map(Number)).toEqual([
      sum(done),
      sum(rows.filter(({ status }) => status === 'open')),
      sum(nothing),
    ])
    expect((await shown('data.title'))[0]).toBe(done[0]?.title)
    await expand(2)
    await settled()
    const inner = await page.evaluate<{ key: string; amount: number }[]>(
      '[...Array(api.getDisplayedRowCount()).keys()].map((at) => api.getDisplayedRowAtIndex(at)).filter((node) => node.level === 1).map(({ key, data }) => ({ key, amount: data.data.amount }))',
    )
    expect(inner.map(({ key }) => key)).toEqual(['\u200b', 'C0', 'C1', 'C2', 'C3', ''])
    expect(inner.at(-1)?.amount).toBe(sum(nothing.filter(({ category }) => category === null)))
    await expand(2 + inner.length)
    await settled()
    const wanted = nothing.filter(({ category }) => category === null).map(({ title }) => title)
    expect(await rowCount()).toBe(3 + inner.length + wanted.length)
    const leaves = await page.evaluate<string[]>(
      '[...Array(api.getDisplayedRowCount()).keys()].map((at) => api.getDisplayedRowAtIndex(at)).filter((node) => node.level === 2).map(({ data }) => data.data.title)',
    )
    expect(new Set(leaves)).toEqual(new Set(wanted))
    await picture('groups')
    expect(served.requests.map(({ body }) => body.groupKeys)).toEqual([[], [''], ['', '']])
  })

  it('counts, and takes the least, greatest, first and last of groups', async () => {
    for (const [aggFunc, expected] of [
      ['count', (of: typeof rows) => of.length],
      ['min', (of: typeof rows) => Math.min(...of.map(({ priority }) => priority))],
      ['max', (of: typeof rows) => Math.max(...of.map(({ priority }) => priority))],
      ['first', (of: typeof rows) => of[0]?.priority],
      ['last', (of: typeof rows) => of.at(-1)?.priority],
    ] as const) {
      await open({
        columnDefs: columns({ 'data.status': { rowGroup: true }, 'data.priority': { aggFunc } }),
        autoGroupColumnDef: { sort: 'desc' },
      })
      await settled()
      const groups = ['open', 'done', null].map((status) => rows.filter((one) => one.status === status))
      expect((await shown('data.priority')).map(Number), aggFunc).toEqual(groups.map(expected))
    }
  })

  it('filters as its own filters say', async () => {
    await open({ columnDefs: columns() })
    await settled()
    const matching = (passes: (one: (typeof rows)[number]) => boolean) => rows.filter(passes).length
    expect(await filterBy({ 'data.title': { filterType: 'text', type: 'equals', filter: 'ORDER 77' } })).toBe(1)
    expect(await filterBy({ 'data.title': { filterType: 'text', type: 'endsWith', filter: 'R 77' } })).toBe(1)
    expect(await filterBy({ 'data.status': { filterType: 'set', values: ['open', null] } })).toBe(
      matching(({ status }) => status !== 'done'),
    )
    expect(await filterBy({ 'data.priority': { filterType: 'number', type: 'inRange', filter: 2, filterTo: 4 } })).toBe(
      matching(({ priority }) => priority === 3),
    )
    expect(await filterBy({ 'data.due': { filterType: 'date', type: 'lessThan', dateFrom: '2026-03-15' } })).toBe(
      matching(({ due }) => due < '2026-03-15'),
    )
    const month = new Date().toISOString().slice(0, 7)
    expect(await filterBy({ 'data.due': { filterType: 'date', type: 'thisMonth' } })).toBe(
      matching(({ due }) => due.startsWith(month)),
    )
    expect(await filterBy({ 'data.category': { filterType: 'text', type: 'blank' } })).toBe(
      matching(({ category }) => !category),
    )
  })

  it('filters by what a person chooses in the set filter and types in the floating filter', async () => {
    await open({ columnDefs: columns({ 'data.title': { floatingFilter: true } }), sideBar: false })
    await settled()
    await page.locator('.ag-floating-filter-input input').first().fill('order 299')
    await page.waitForFunction('api.getDisplayedRowCount() === 11')
    await settled()
    await picture('floating-filter')
    await page.evaluate(`api.setFilterModel(null)`)
    await settled()
    await page.evaluate(`api.showColumnFilter('data.status')`)
    await page.locator('.ag-set-filter-item', { hasText: 'Select All' }).first().click()
    await page.locator('.ag-set-filter-item', { hasText: '(Blanks)' }).first().click()
    const blank = rows.filter(({ status }) => status === null).length
    await page.waitForFunction(`api.getDisplayedRowCount() === ${blank}`)
    await picture('set-filter')
    expect(served.requests.at(-1)?.body.filterModel).toEqual({ 'data.status': { filterType: 'set', values: [null] } })
  })

  it('filters by its advanced filter', async () => {
    await open({ columnDefs: columns({ 'data.status': { filter: 'agTextColumnFilter' } }), enableAdvancedFilter: true })
    await settled()
    await page.evaluate(
      `api.setAdvancedFilterModel(${JSON.stringify({
        filterType: 'join',
        type: 'AND',
        conditions: [
          { filterType: 'text', colId: 'data.title', type: 'contains', filter: 'ORDER 1' },
          {
            filterType: 'join',
            type: 'OR',
            conditions: [
              { filterType: 'number', colId: 'data.priority', type: 'greaterThan', filter: 4 },
              { filterType: 'text', colId: 'data.status', type: 'blank' },
            ],
          },
        ],
      })})`,
    )
    await settled()
    const wanted = rows.filter(
      ({ title, priority, status }) => title.startsWith('Order 1') && (priority > 4 || status === null),
    ).length
    expect([await rowCount(), statuses()]).toEqual([wanted, [200]])
    await picture('advanced-filter')
  })

  it('takes words of a search beside it, and says why it cannot pivot', async () => {
    await open({ columnDefs: columns(), more: { search: 'order 29' } })
    await settled()
    expect(await rowCount()).toBe(rows.filter(({ title }) => title.startsWith('Order 29')).length)
    await open({
      columnDefs: columns({ 'data.status': { pivot: true }, 'data.amount': { aggFunc: 'sum' } }),
      pivotMode: true,
    })
    await page.waitForFunction('answers.some(({ success }) => success === false)')
    const refused = await page.evaluate<any>('answers.find(({ success }) => success === false)')
    expect(refused.errors.pivotMode[0]).toMatch(/^Pivoting is not supported\. Switch pivot mode off/)
  })

  it('breaks no script of the page', () => expect(complaints).toEqual([]))
})
