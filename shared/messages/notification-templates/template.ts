import type { ConfigRow, RowTimes } from '../../platform/store/config.ts'
import type { TemplateContent } from './translation.ts'

/** A notification template as it is stored. */
export interface NotificationTemplate extends TemplateContent, RowTimes {
  readonly id: number
  readonly name: string
  /** Unique; scripts name the template by it. */
  readonly code: string
  readonly version: number
}

/** What is listed without reading the texts. */
export type TemplateHead = Pick<NotificationTemplate, 'id' | 'name' | 'code'>

/** Reads the row of a code. */
export const headOf = ({ name, doc }: ConfigRow): TemplateHead => ({
  ...(doc as Pick<TemplateHead, 'id' | 'name'>),
  code: name,
})
/** The row of a code: it finds the template, keeps its code unique, and lists it. */
export const headRow = ({ id, name, code, version, createdAt }: NotificationTemplate): ConfigRow => ({
  name: code,
  version,
  createdAt,
  doc: { id, name },
})
