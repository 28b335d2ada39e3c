import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { upload } from '../../make/builders/records/uploads.ts'
import { textRow, workbook, workbookFiles, xlsxType, zip } from '../../make/builders/records/workbooks.ts'
import { sharedService, type ApiAnswer, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown, token = service.admin.token): Promise<ApiAnswer> =>
  service.api(method, path, { token, body })
const given = (name: string, content: Buffer | string, token = service.admin.token, type = 'text/csv') =>
  upload(service, { name, type, content: Buffer.from(content), token })
const preview = (path: string, query = '', token = service.admin.token) =>
  api('GET', `/api/e/guests/import-file/preview?path=${encodeURIComponent(path)}${query}`, undefined, token)
async function load(body: object, token = service.admin.token) {
  const answer = await api('POST', '/api/e/guests/import-file', body, token)
  return answer.status === 202 ? finishedJob(service, answer.body.data.job_id, undefined, token) : answer
}
const jobRunner = (): string => service.cloud.functions.find((name) => name.startsWith('JobRunner')) as string
const total = async (): Promise<number> => (await api('GET', '/api/e/guests?per_page=1')).body.meta.total

beforeAll(async () => {
  service = await sharedService()
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
    const rows = `<row r="1"><c r="A1" t="inlineStr"><is><t>full_name</t></is></c><c r="B1" t="inlineStr"><is><t>visits</t></is></c><c r="C1" t="inlineStr"><is><t>code</t></is></c></row><row r="2"><c r="A2" t="str"><f>A1&amp;B1</f><v>Formula</v></c><c r="B2"><v>4</v></c><c r="C2"><v>1234567890</v></c></row>`
    const made = await load({
      path: await given('made.xlsx', workbook(rows), undefined, xlsxType),
      mode: 'upsert',
      key: 'code',
    })
    expect(made).toMatchObject({ status: 'done', errors: [], result: { created: 1 } })
    const { body } = await api('POST', '/api/e/guests/list-server', { filter: { full_name: 'Formula' } })
    expect(body.data[0].data).toMatchObject({ visits: 4, code: '1234567890' })
  })

  it('names records by their titles and keys, and says of which text no record or several are called', async () => {
    await makeTable(service, 'hotels', [
      { name: 'name', type: 'text' },
      { name: 'code', type: 'text', unique: true },
      { name: 'number', type: 'auto_number', prefix: 'H-' },
      { name: 'owner', type: 'text' },
    ])
    await makeTable(service, 'stays', [
      { name: 'title', type: 'text', unique: true },
      { name: 'hotel_id', label: 'Hotel', type: 'model_list', target_table: 'hotels' },
      { name: 'nights', type: 'integer' },
    ])
    const hotel = async (name: string, code: string): Promise<number> =>
      (await api('POST', '/api/e/hotels', { name, code, owner: name })).body.data.id
    const [adler, krone, first] = [await hotel('Adler', 'AD'), await hotel('Krone', 'KR'), await hotel('Post', 'P1')]
    const second = await hotel('Post', 'P2')
    const named = await hotel('AD', 'XX')
    const text =
      'title,Hotel,nights\nA,Adler,1\nB, Krone ,2\nC,P2,3\nD,H-3,4\nE,' +
      `${krone},5\nF,AD,6\nG,Post,7\nH,Adlr,many\nI,,8\n`
    const all = { title: 'title', Hotel: 'hotel_id', nights: 'nights' }
    const stays = async (token?: string) => {
      const { body } = await api('GET', '/api/e/stays?per_page=100&sort=title', undefined, token)
      return Object.fromEntries(body.data.map(({ data }: any) => [data.title, data.hotel_id]))
    }
    const loadStays = async (body: object, token = service.admin.token) => {
      const answer = await api('POST', '/api/e/stays/import-file', body, token)
      return finishedJob(service, answer.body.data.job_id, undefined, token)
    }
    await service.cloud.idle()
    const path = await given('stays.csv', text)
    const dry = await loadStays({ path, dry_run: true })
    expect(dry.result).toMatchObject({ created: 7, failed: 2 })
    const job = await loadStays({ path, mapping: all, mode: 'upsert', key: 'title' })
    expect(job.result).toMatchObject({ created: 7, failed: 2 })
    expect(job.errors.map(({ row, errors }: any) => [row, errors])).toEqual([
      [6, { Hotel: [`Several records of hotels are called Post: ${first}, ${second}. Use the id.`] }],
      [7, { Hotel: ['No record of hotels is called Adlr. Did you mean Adler?'], nights: [expect.any(String)] }],
    ])
    // A key names one record, though another one has it as its title.
    expect(named).toBeGreaterThan(0)
    expect(await stays()).toMatchObject({ A: adler, B: krone, C: second, D: first, E: krone, F: adler })
    const again = await loadStays({ path, mapping: all, mode: 'upsert', key: 'title' })
    expect(again.result).toMatchObject({ unchanged: 7, failed: 2 })
    const change = await given('change.csv', 'title,Hotel\nA,Krone\nB,Ritz\n')
    const changed = await loadStays({ path: change, mode: 'update', key: 'title' })
    expect(changed.errors.map(({ errors }: any) => errors)).toEqual([
      { Hotel: ['No record of hotels is called Ritz.'] },
    ])
    expect(await stays()).toMatchObject({ A: krone, B: krone })

    // Who may not read the other table, or its titles, does not learn what it holds.
    const blind = await userWith(service, ['stays.*'])
    const limited = await userWith(service, ['stays.*', 'hotels.read'], [], { hotels: { read: ['owner'] } })
    const ruled = await userWith(
      service,
      ['stays.*', 'hotels.read'],
      [{ table: 'hotels', action: 'read', filter: { name: 'Post' } }],
    )
    for (const { token } of [blind, limited, ruled]) {
      const own = await given('own.csv', 'title,Hotel\nX,Adler\nY,Adlr\n', token)
      const { result, errors } = await loadStays({ path: own, dry_run: true }, token)
      expect(result).toMatchObject({ created: 0, failed: 2 })
      expect(JSON.stringify(errors)).not.toContain('Did you mean')
    }
    const short = await fetch(`${service.url}/api/e/stays/import?dry_run=true`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.admin.token}`, 'content-type': 'text/csv' },
      body: 'title,hotel_id\nZ,Adler\n',
    })
    expect(await short.json()).toMatchObject({ data: { total: 1, failed: 0, errors: [] } })
  })

  it('ends at once and says where, when it is laid out far away, or a cell holds no value', async () => {
    const far = workbook('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
    const path = await given('far.xlsx', far, undefined, xlsxType)
    const why = 'The cell XFD1048576 is in column 16384, and a file may have 1000.'
    const refused = await preview(path)
    expect([refused.status, refused.body.errors.path[0]]).toEqual([422, expect.stringContaining(why)])
    const before = await total()
    const failed = await load({ path })
    expect(failed).toMatchObject({ status: 'failed', errors: [{ errors: { path: [expect.stringContaining(why)] } }] })
    const cells = `${textRow(1, ['full_name', 'visits', 'Remark'])}${textRow(2, ['Good', '5', 'x'])}<row r="3"><c r="A3" t="inlineStr"><is><t>Bad</t></is></c><c r="B3" t="e"><f>VLOOKUP(1,A1:B1,2,0)</f><v>#N/A</v></c></row><row r="4"><c r="A4" t="inlineStr"><is><t>Kept</t></is></c><c r="C4" t="e"><v>#REF!</v></c></row>`
    const mixed = await given('mixed.xlsx', workbook(cells), undefined, xlsxType)
    const mapping = { full_name: 'full_name', visits: 'visits' }
    expect((await preview(mixed)).body.data.rows[1]).toEqual({ full_name: 'Bad', visits: '#N/A' })
    for (const dry_run of [true, false]) {
      const job = await load({ path: mixed, mapping, ...(dry_run && { dry_run }) })
      expect(job).toMatchObject({ status: 'done', result: { created: 2, failed: 1 } })
      expect(job.errors).toEqual([
        {
          row: 1,
          errors: { visits: [expect.stringContaining('The cell B3 holds the error #N/A')] },
          message: expect.any(String),
        },
      ])
    }
    expect(await total()).toBe(before + 2)
  })

  it('takes quotes within a cell of CSV as spreadsheets do, and names the line of one that is wrong', async () => {
    const good = await given('inch.csv', 'full_name,code\n12" pipe,I1\n"27"" disc",I2\n "c",I3\n')
    expect((await preview(good)).body.data.rows.map((row: any) => row.full_name)).toEqual([
      '12" pipe',
      '27" disc',
      ' "c"',
    ])
    expect(await load({ path: good })).toMatchObject({ status: 'done', result: { created: 3, failed: 0 } })
    const wrong = await given('wrong.csv', 'full_name,code\nx,I4\n"12" pipe,I5\n')
    expect((await preview(wrong)).status).toBe(400)
    expect(await load({ path: wrong })).toMatchObject({
      status: 'failed',
      errors: [{ message: expect.stringContaining('in line 3 a text stands behind a closing quote') }],
    })
  })

  it('is refused when it is a bomb, whatever size it declares, broken, or of others', async () => {
    const huge = ' '.repeat(80 * 1024 * 1024)
    const sheets = { Guests: huge }
    for (const bomb of [zip(workbookFiles({ sheets })), zip(workbookFiles({ sheets }), 100)]) {
      const { status, body } = await preview(await given('bomb.xlsx', bomb, undefined, xlsxType))
      expect([status, body.errors.path[0]]).toEqual([422, expect.stringMatching(/64 MB|damaged/)])
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

  it('is read by a saved mapping, by name or id, which says what of the file or the table is missing', async () => {
    const weekly = {
      name: 'Weekly list',
      model: 'guests',
      mapping: { Gast: 'full_name', Nr: 'code', Besuche: 'visits' },
      mode: 'upsert',
      key: 'code',
    }
    const user = await userWith(service, ['guests.*'])
    const saved = (await api('POST', '/api/sys/import-mappings', weekly, user.token)).body.data
    expect(saved).toMatchObject({ ...weekly, owner: user.id, format: null, problem: null })
    expect((await api('POST', '/api/sys/import-mappings', weekly)).status).toBe(409)
    const path = await given('week.csv', 'Gast,Nr,Besuche,Notiz\nAda,W1,1,x\nBob,W2,2,y\n', user.token)
    const shown = (await preview(path, '&saved_mapping=Weekly%20list', user.token)).body.data
    expect(shown).toMatchObject({ mapping: weekly.mapping, unmapped: ['Notiz'], problem: null })
    const job = await load({ path, saved_mapping: 'Weekly list' }, user.token)
    expect(job).toMatchObject({ status: 'done', result: { total: 2, created: 2, failed: 0, unmapped: ['Notiz'] } })
    expect((await load({ path, saved_mapping: saved.id }, user.token)).result).toMatchObject({ unchanged: 2 })
    // What the request says itself wins.
    const dry = await load({ path, saved_mapping: saved.id, mode: 'create', dry_run: true }, user.token)
    expect(dry.result).toMatchObject({ created: 0, failed: 2 })

    const short = await given('short.csv', 'Gast,Number\nAda,W1\n', user.token)
    const why = /no column .?Nr.*no column .?Besuche/
    expect((await preview(short, '&saved_mapping=Weekly%20list', user.token)).body.data).toMatchObject({
      mapping: { Gast: 'full_name' },
      problem: expect.stringMatching(why),
    })
    const refused = await api('POST', '/api/e/guests/import-file', { path: short, saved_mapping: saved.id }, user.token)
    expect([refused.status, refused.body.errors.saved_mapping[0]]).toEqual([422, expect.stringMatching(why)])
    const typo = await api('POST', '/api/e/guests/import-file', { path, saved_mapping: 'Weekly lst' }, user.token)
    expect(typo.body.errors.saved_mapping[0]).toMatch(/Did you mean Weekly list/)
  })

  it('has mappings that are checked, kept to who may import, and part of the configuration', async () => {
    const save = (body: object, token?: string) => api('POST', '/api/sys/import-mappings', body, token)
    const wrong = await save({
      name: 'Wrong',
      model: 'guests',
      mapping: { A: 'full_nam', B: 'code' },
      mode: 'update',
      key: 'id',
    })
    expect(wrong.body.errors).toEqual({
      'mapping.A': [expect.stringMatching(/Did you mean full_name/)],
      key: ['No column is mapped to id: no row would name its record.'],
    })
    const { body } = await save({
      name: 'By code',
      model: 'guests',
      mapping: { Nr: 'code' },
      mode: 'update',
      key: 'code',
    })
    const address = `/api/sys/import-mappings/${body.data.id}`
    const reader = await userWith(service, ['guests.read'])
    const writer = await userWith(service, ['guests.update'])
    const sharer = await userWith(service, ['guests.update', 'views.share'])
    const limited = await userWith(service, ['guests.*'], [], { guests: { read: ['full_name'], write: ['full_name'] } })
    for (const hidden of [reader, limited]) {
      expect((await api('GET', address, undefined, hidden.token)).status).toBe(404)
      expect((await api('GET', '/api/sys/import-mappings', undefined, hidden.token)).body.data).toEqual([])
    }
    expect((await save({ name: 'No', model: 'guests', mapping: { A: 'code' } }, reader.token)).status).toBe(403)
    expect((await api('PUT', address, { name: 'Mine' }, writer.token)).status).toBe(403)
    const changed = await api('PUT', address, { name: 'Codes', version: 1 }, sharer.token)
    expect(changed.body.data).toMatchObject({ name: 'Codes', owner: service.admin.userId, version: 2 })

    const { import_mappings } = (await api('GET', '/api/sys/config')).body.data
    const documents = import_mappings.filter(({ name }: { name: string }) => name === 'Codes')
    expect(documents).toEqual([
      {
        name: 'Codes',
        model: 'guests',
        mapping: { Nr: 'code' },
        format: null,
        sheet: null,
        mode: 'update',
        key: 'code',
        is_legacy: false,
      },
    ])
    const apply = (one: object) => api('PUT', '/api/sys/config?dry_run=true', { import_mappings: [one] })
    expect((await apply(documents[0])).body.data).toMatchObject({ created: [], changed: [], unchanged: 1 })
    expect((await apply({ ...documents[0], key: 'id' })).status).toBe(422)
    expect((await api('DELETE', address, undefined, sharer.token)).status).toBe(204)
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
    240_000,
  )
})
