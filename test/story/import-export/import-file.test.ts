import { deflateRawSync, crc32 } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { upload } from '../../make/builders/records/uploads.ts'
import { startService, type ApiAnswer, type TestService } from '../../make/services/service.ts'

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
let service: TestService
const api = (method: string, path: string, body?: unknown, token = service.admin.token): Promise<ApiAnswer> =>
  service.api(method, path, { token, body })
const given = (name: string, content: Buffer | string, token = service.admin.token, type = 'text/csv') =>
  upload(service, { name, type, content: Buffer.from(content), token })
const preview = (path: string, query = '', token = service.admin.token) =>
  api('GET', `/api/e/guests/import-file/preview?path=${encodeURIComponent(path)}${query}`, undefined, token)
async function load(body: object, token = service.admin.token) {
  const answer = await api('POST', '/api/e/guests/import-file', body, token)
  return answer.status === 202 ? finishedJob(service, answer.body.data.job_id, 60_000, token) : answer
}
const jobRunner = (): string => service.cloud.functions.find((name) => name.startsWith('JobRunner')) as string
const total = async (): Promise<number> => (await api('GET', '/api/e/guests?per_page=1')).body.meta.total

/** A ZIP file of these entries; `claims`: the size that its directory declares. */
function zip(entries: Readonly<Record<string, string>>, claims?: number): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(entries)) {
    const packed = deflateRawSync(text)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(crc32(text), 14)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(claims ?? Buffer.byteLength(text), 22)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    head.copy(entry, 6, 4, 30)
    entry.writeUInt32LE(offset, 42)
    pieces.push(head, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    offset += 30 + name.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(entries).length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...pieces, listed, end])
}

const workbook = (sheet: string): Record<string, string> => ({
  '[Content_Types].xml':
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
  'xl/workbook.xml':
    '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Guests" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
  'xl/worksheets/sheet1.xml': sheet,
})

beforeAll(async () => {
  service = await startService({})
  await makeTable(service, 'guests', [
    { name: 'full_name', label: 'Full name', type: 'text', required: true },
    { name: 'code', label: 'Customer no.', type: 'text', unique: true },
    { name: 'born_on', type: 'date' },
    { name: 'seen_at', type: 'datetime' },
    { name: 'visits', type: 'integer' },
    { name: 'spent', type: 'decimal', scale: 2 },
    { name: 'is_member', type: 'boolean' },
    { name: 'secret', type: 'text' },
  ])
})
afterEach(() => service.cloud.faults.clear())
afterAll(() => service?.stop())

describe('a file that is imported', () => {
  it('is shown before: its columns, ten rows, a proposed mapping, and what is not mapped', async () => {
    const lines = Array.from({ length: 30 }, (_, n) => `Guest ${n};P${n};x;3`)
    const path = await given('guests.csv', `\uFEFFFULL NAME;Customer no.;Remark;Visit\r\n${lines.join('\r\n')}\r\n`)
    const { status, body } = await preview(path)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      format: 'csv',
      sheets: null,
      columns: ['FULL NAME', 'Customer no.', 'Remark', 'Visit'],
      mapping: { 'FULL NAME': 'full_name', 'Customer no.': 'code', Visit: 'visits' },
      unmapped: ['Remark'],
    })
    expect(body.data.rows).toHaveLength(10)
    expect(body.data.rows[0]).toEqual({ 'FULL NAME': 'Guest 0', 'Customer no.': 'P0', Remark: 'x', Visit: '3' })
  })

  it('stores rows by key, names wrong cells by row and column, and is undone', async () => {
    const path = await given(
      'guests.csv',
      'full_name,code,Besuche,spent\n"Reyes, Dana",F1,3,12.5\nEli,F2,many,1\nFay,F1,1,1\nGus,F3,1,2\n',
    )
    const mapping = { full_name: 'full_name', code: 'code', Besuche: 'visits', spent: 'spent' }
    const dry = await load({ path, mapping, mode: 'upsert', key: 'code', dry_run: true })
    expect(dry).toMatchObject({ status: 'done', result: { batch_id: null, total: 4, created: 2, failed: 2 } })
    const before = await total()
    const job = await load({ path, mapping, mode: 'upsert', key: 'code' })
    expect(job).toMatchObject({
      kind: 'import-file',
      status: 'done',
      done: 4,
      result: { total: 4, created: 2, updated: 0, unchanged: 0, failed: 2, unmapped: [] },
    })
    expect(job.errors.map(({ row, errors }: any) => [row, Object.keys(errors)])).toEqual([
      [1, ['Besuche']],
      [2, ['code']],
    ])
    expect(await total()).toBe(before + 2)
    const again = await load({ path, mapping, mode: 'upsert', key: 'code' })
    expect(again.result).toMatchObject({ created: 0, updated: 0, unchanged: 2, failed: 2 })
    const undone = await api('POST', `/api/sys/batches/${job.result.batch_id}/undo`)
    expect(undone.body.data).toMatchObject({ changed: 2, failed: 0 })
    expect(await total()).toBe(before)
  })

  it('may be a workbook, whose dates, numbers and formulas are what people see', async () => {
    await api('POST', '/api/e/guests', {
      full_name: 'Max Frisch',
      code: '007',
      born_on: '1911-05-15',
      visits: 3,
      is_member: true,
      spent: '12.50',
      seen_at: '2026-07-01T10:00:00Z',
    })
    const file = await fetch(
      `${service.url}/api/e/guests/export?format=xlsx&labels=true&filter=${encodeURIComponent(JSON.stringify({ code: '007' }))}`,
      {
        headers: { authorization: `Bearer ${service.admin.token}` },
      },
    )
    const path = await given('guests.xlsx', Buffer.from(await file.arrayBuffer()), undefined, xlsxType)
    const shown = (await preview(path)).body.data
    expect(shown).toMatchObject({
      format: 'xlsx',
      sheets: [expect.any(String)],
      mapping: { 'Full name': 'full_name', 'Customer no.': 'code' },
    })
    const job = await load({ path, mode: 'update', key: 'code' })
    expect(job).toMatchObject({ status: 'done', errors: [], result: { total: 1, unchanged: 1 } })
    const sheet = `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>full_name</t></is></c><c r="B1" t="inlineStr"><is><t>visits</t></is></c><c r="C1" t="inlineStr"><is><t>code</t></is></c></row><row r="2"><c r="A2" t="str"><f>A1&amp;B1</f><v>Formula</v></c><c r="B2"><v>4</v></c><c r="C2"><v>1234567890</v></c></row></sheetData></worksheet>`
    const made = await load({
      path: await given('made.xlsx', zip(workbook(sheet)), undefined, xlsxType),
      mode: 'upsert',
      key: 'code',
    })
    expect(made).toMatchObject({ status: 'done', errors: [], result: { created: 1 } })
    const { body } = await api('POST', '/api/e/guests/list-server', { filter: { full_name: 'Formula' } })
    expect(body.data[0].data).toMatchObject({ visits: 4, code: '1234567890' })
  })

  it('is refused when it is a bomb, whatever size it declares, broken, or of others', async () => {
    const huge = ' '.repeat(80 * 1024 * 1024)
    for (const bomb of [zip(workbook(huge)), zip(workbook(huge), 100)]) {
      const { status, body } = await preview(await given('bomb.xlsx', bomb, undefined, xlsxType))
      expect([status, body.errors.path[0]]).toEqual([422, expect.stringMatching(/64 MB|broken/)])
    }
    expect((await preview(await given('no.xlsx', zip({ a: 'b' }), undefined, xlsxType))).status).toBe(422)
    const path = await given('mine.csv', 'full_name\nA\n')
    const other = await userWith(service, ['guests.*'])
    expect((await preview(path, '', other.token)).status).toBe(404)
    expect((await api('POST', '/api/e/guests/import-file', { path }, other.token)).status).toBe(404)
    const wrong = await api('POST', '/api/e/guests/import-file', {
      path,
      mapping: { full_nam: 'full_name', full_name: 'name' },
    })
    expect(Object.keys(wrong.body.errors)).toEqual(['mapping.full_nam', 'mapping.full_name'])
  })

  it('shows and takes nothing of fields that field rules hide', async () => {
    const user = await userWith(service, ['guests.*'], [], {
      guests: { read: ['full_name', 'code'], write: ['full_name', 'code'] },
    })
    const path = await given('hidden.csv', 'full_name,code,secret\nA,S1,x\n', user.token)
    const shown = await preview(path, '', user.token)
    expect(shown.body.data).toMatchObject({ mapping: { full_name: 'full_name', code: 'code' }, unmapped: ['secret'] })
    const job = await load({ path }, user.token)
    expect(job).toMatchObject({ status: 'done', result: { created: 1, unmapped: ['secret'] } })
    const refused = await api('POST', '/api/e/guests/import-file', { path, mapping: { secret: 'secret' } }, user.token)
    expect(refused.body.errors).toEqual({ 'mapping.secret': ['The secret field is unknown.'] })
  })

  it.each(['crash-before', 'crash-after', 'lose-answer'] as const)(
    'goes on after %s in the middle, and stores every row once',
    async (action) => {
      const lines = Array.from({ length: 400 }, (_, n) => `{"full_name":"Crash ${n}","code":"${action}-${n}"}`)
      const path = await given('guests.ndjson', `${lines.join('\n')}\n`, undefined, 'application/x-ndjson')
      const before = await total()
      const fault = service.cloud.faults.inject({
        operation: 'TransactWriteItems',
        functionName: jobRunner(),
        skip: 2,
        action,
      })
      const job = await load({ path, mode: 'upsert', key: 'code' })
      expect(fault.struck).toBe(1)
      expect(job).toMatchObject({ status: 'done', result: { total: 400, created: 400, failed: 0 } })
      expect(await total()).toBe(before + 400)
    },
    60_000,
  )
})
