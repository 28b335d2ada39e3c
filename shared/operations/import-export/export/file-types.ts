import * as z from 'zod'
import type { ListedRecord } from '../../../lists/query/schema.ts'

/** A file of records that is written piece by piece, and continued by another process. */
export interface RecordFile {
  readonly contentType: string
  readonly extension: string
  /** What precedes the first record. */
  head(): string | Buffer
  /** The next records. Throws Invalid for a record that the format cannot hold. */
  add(records: readonly ListedRecord[]): string | Buffer
  /** What follows the last record. */
  tail(): string | Buffer
  /** What another process needs to continue; null when it needs nothing. */
  state(): XlsxState | null
}

export interface FileOptions {
  readonly format: 'csv' | 'ndjson' | 'xlsx'
  /** Whether it shows labels and titles instead of names, slugs and ids. */
  readonly labels: boolean
  /** In which people read times. */
  readonly timeZone: string
  /** The name of the sheet. */
  readonly title: string
  /** When it began: the time of the entries of an XLSX file. */
  readonly beganAt: Date
}

/** The part of the sheet that is written: how many rows, and what the ZIP file must know of their bytes. */
export const XlsxState = z.object({ rows: z.int(), crc: z.int(), sizeBytes: z.int(), packedBytes: z.int() })
export type XlsxState = z.output<typeof XlsxState>
