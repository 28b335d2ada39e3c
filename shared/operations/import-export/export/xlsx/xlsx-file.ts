import { constants, crc32, deflateRawSync } from 'node:zlib'
import { Invalid } from '../../../../kernel/failures/faults.ts'
import { maxXlsxRecords } from '../../../../kernel/limits/imports.ts'
import type { ListedRecord } from '../../../../lists/query/schema.ts'
import {
  dataDescriptor,
  directoryRecord,
  endOfSmallDirectory,
  localHeader,
  type ZipEntry,
} from '../../../../platform/objects/zip-format.ts'
import type { ExportColumn } from '../export-columns.ts'
import type { FileOptions, RecordFile, XlsxState } from '../file-types.ts'
import { workbookParts, sheetPath } from './workbook-parts.ts'
import { sheetHead, sheetTail, sheetRow } from './write-sheet.ts'

/** An entry of a ZIP file without ZIP64 is smaller. */
const maxSheetBytes = 0xffff_ffff

/** What ends a deflate stream whose pieces end at a byte: an empty last block (RFC 1951, 3.2.4). */
const lastBlock = Buffer.from([0x01, 0x00, 0x00, 0xff, 0xff])

/**
 * A workbook with one sheet, which is the first entry of its ZIP file. Each piece is compressed by itself, so another
 * process can write the next one, which no library lets it do; the small parts of the workbook follow at the end.
 */
export function xlsxFile(columns: readonly ExportColumn[], options: FileOptions, from: XlsxState | null): RecordFile {
  const { beganAt } = options
  let { rows, crc, sizeBytes, packedBytes } = from ?? { rows: 0, crc: 0, sizeBytes: 0, packedBytes: 0 }

  function pack(xml: string): Buffer {
    const bytes = Buffer.from(xml)
    crc = crc32(bytes, crc)
    sizeBytes += bytes.length
    if (sizeBytes > maxSheetBytes)
      throw new Invalid({
        format: ['The sheet is larger than 4 GB. Name fewer fields, narrow the filter, or use csv.'],
      })
    const packed = deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
    packedBytes += packed.length
    return packed
  }

  function add(records: readonly ListedRecord[]): Buffer {
    if (records.length === 0) return Buffer.alloc(0)
    if (rows + records.length > maxXlsxRecords) throw tooManyRecords(rows + records.length)
    const first = rows + 2
    rows += records.length
    return pack(records.map((record, index) => sheetRow(columns, options, record, first + index)).join(''))
  }

  function tail(): Buffer {
    const end = pack(sheetTail(columns.length, rows + 1))
    packedBytes += lastBlock.length
    const sheet = { name: sheetPath, crc, sizeBytes, packedBytes, offset: 0 }
    const bytes = [end, lastBlock, dataDescriptor(sheet)]
    const entries: ZipEntry[] = [sheet]
    let offset = localHeader(sheetPath, beganAt).length + packedBytes + dataDescriptor(sheet).length
    for (const [name, content] of workbookParts(options.title)) {
      const packed = deflateRawSync(content)
      const entry = {
        name,
        crc: crc32(content),
        sizeBytes: Buffer.byteLength(content),
        packedBytes: packed.length,
        offset,
      }
      const pieces = [localHeader(name, beganAt), packed, dataDescriptor(entry)]
      offset += pieces.reduce((sum, { length }) => sum + length, 0)
      bytes.push(...pieces)
      entries.push(entry)
    }
    const directory = Buffer.concat(entries.map((entry) => directoryRecord(entry, beganAt)))
    const ending = endOfSmallDirectory({ entries: entries.length, offset, sizeBytes: directory.length })
    return Buffer.concat([...bytes, directory, ending])
  }

  return {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    head: () => Buffer.concat([localHeader(sheetPath, beganAt), pack(sheetHead(columns, options.labels))]),
    add,
    tail,
    state: () => ({ rows, crc, sizeBytes, packedBytes }),
  }
}

/** The refusal of a list that has more records than a sheet has rows. */
export const tooManyRecords = (count: number): Invalid =>
  new Invalid({
    format: [
      `A sheet of xlsx holds ${maxXlsxRecords.toLocaleString('en')} records, and the list has ${count.toLocaleString('en')}. Narrow the filter, or use csv.`,
    ],
  })
