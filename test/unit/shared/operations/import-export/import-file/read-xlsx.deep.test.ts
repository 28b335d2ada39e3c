import { expect, it } from 'vitest'
import { maxImportFileCells, maxWorkbookTexts } from '../../../../../../shared/kernel/limits/imports.ts'
import { readXlsx } from '../../../../../../shared/operations/import-export/import-file/xlsx/read-xlsx.ts'
import { readCsv } from '../../../../../../shared/operations/import-export/import/read-csv.ts'
import { textRow, workbook } from '../../../../../make/builders/records/workbooks.ts'

const head = textRow(1, ['k', 'n'])

it.each<[string, () => Buffer, string]>([
  [
    'too many cells',
    () =>
      workbook(
        textRow(
          1,
          Array.from({ length: 900 }, (_, at) => `c${at}`),
        ) + `<row>${'<c><v>1</v></c>'.repeat(900)}</row>`.repeat(Math.ceil(maxImportFileCells / 900)),
      ),
    `more than ${maxImportFileCells} cells`,
  ],
  [
    'too many texts',
    () =>
      workbook(`${head}<row r="2"><c r="A2" t="s"><v>${maxWorkbookTexts + 5}</v></c></row>`, {
        texts: '<si><t/></si>'.repeat(maxWorkbookTexts + 1),
      }),
    `more than ${maxWorkbookTexts} texts`,
  ],
])(
  'a workbook with %s is refused',
  async (_, made, message) => {
    await expect(readXlsx(made())).rejects.toMatchObject({ errors: { path: [expect.stringContaining(message)] } })
  },
  240_000,
)

it('the largest workbook is read within the memory of its function', async () => {
  const columns = 19
  const rows = 100_000
  const cells = Array.from({ length: columns }, (_, at) => `<c t="s"><v>${at}</v></c>`).join('')
  const bytes = workbook(
    textRow(
      1,
      Array.from({ length: columns }, (_, at) => `c${at}`),
    ) + `<row>${cells}</row>`.repeat(rows),
    { texts: Array.from({ length: columns }, (_, at) => `<si><t>t${at}</t></si>`).join('') },
  )
  let most = 0
  const before = process.memoryUsage().rss
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss - before)), 20)
  const read = await readXlsx(bytes)
  clearInterval(timer)
  expect(read.rows).toHaveLength(rows)
  expect(most).toBeLessThan(600 * 1024 * 1024)
})

it('a preview of the largest workbook takes no longer than one of a small one', async () => {
  const bytes = workbook(head + '<row><c><v>1</v></c><c><v>2</v></c></row>'.repeat(1_000_000))
  const before = process.cpuUsage().user
  expect((await readXlsx(bytes, undefined, 10)).rows).toHaveLength(10)
  expect((process.cpuUsage().user - before) / 1000).toBeLessThan(500)
})

it.each([',\n', ' , \n'])(
  'a CSV file of lines without text %j ends at the lines of a sheet',
  async (line) => {
    await expect(readCsv(Buffer.from(`k,n\n${line.repeat(1_100_000)}`))).rejects.toMatchObject({
      errors: { rows: [expect.stringContaining('more than 1048576 lines')] },
    })
  },
  240_000,
)
