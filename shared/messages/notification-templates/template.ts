import type { ConfigRow } from '../../platform/store/config.ts'
import { idText } from '../../platform/store/keys/key.ts'
import type { NotificationTemplateAnswer } from './schema.ts'
import type { TemplateContent } from './translation.ts'

export const templateSequence = 'sys_notification_templates'

/** A notification template as it is stored. */
export interface NotificationTemplate extends TemplateContent {
  readonly id: number
  readonly name: string
  /** Unique; scripts name the template by it. */
  readonly code: string
  readonly version: number
}

/** What is listed without reading the texts. */
export type TemplateHead = Pick<NotificationTemplate, 'id' | 'name' | 'code'>

/** Reads the row of a template. */
export const templateOf = (row: ConfigRow): NotificationTemplate => ({
  ...(row.doc as Omit<NotificationTemplate, 'version'>),
  version: row.version,
})
/** The row of a template. */
export const templateRow = ({ version, ...doc }: NotificationTemplate): ConfigRow => ({
  name: templateRowName(doc.id),
  version,
  doc,
})
/** Rows are named by id, so that a new code moves no texts. */
export const templateRowName = idText

/** Reads the row of a code. */
export const headOf = ({ name, doc }: ConfigRow): TemplateHead => ({
  ...(doc as Pick<TemplateHead, 'id' | 'name'>),
  code: name,
})
/** The row of a code: it finds the template, keeps its code unique, and lists it. */
export const headRow = ({ id, name, code, version }: NotificationTemplate): ConfigRow => ({
  name: code,
  version,
  doc: { id, name },
})

/** A template in an answer to an administrator. */
export const describeTemplate = (template: NotificationTemplate): NotificationTemplateAnswer => {
  const { id, name, code, subject, body, translations, version } = template
  return { id, name, code, subject, body, translations, version }
}
