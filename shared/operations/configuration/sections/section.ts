import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import type { Warning } from '../../../kernel/failures/warning.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { ConfigurationDocument } from '../schema.ts'

/** The administrator on whose behalf a configuration is read and applied. */
export type Author = Pick<Caller, 'tenant' | 'userId' | 'impersonatorId' | 'roles' | 'isAdministrator'>

/**
 * The errors of one object, by path within it. `index`: its place in its section, from 0. `warn` is called with what is
 * accepted and can hardly be meant.
 */
export type CheckObject<Document> = (
  document: Document,
  index: number,
  warn: (warning: Warning) => void,
) => FieldErrors | Promise<FieldErrors>

/** One kind of configuration in the document. */
export interface Section<Document extends { readonly name: string }> {
  /** The existing objects by name. */
  read(author: Author): Promise<ReadonlyMap<string, Document>>
  /** The object with missing members filled in from the existing one, or from the defaults. */
  complete(document: Document, before: Document | undefined): Document
  /** Reads what the check of this section's objects needs. `whole`: the document with all sections. */
  openCheck(
    author: Author,
    existing: ReadonlyMap<string, Document>,
    whole: ConfigurationDocument,
  ): Promise<CheckObject<Document>>
  /** The objects in an order in which they can be created. Default: as given. */
  inOrder?(documents: readonly Document[]): readonly Document[]
  /** The document as it is compared with the existing object: without what only says how it came to be. */
  comparable?(document: Document, before: Document): Document
  /** `names`: those of the existing objects of this section. */
  create(author: Author, document: Document, names: ReadonlySet<string>): Promise<void>
  change(author: Author, document: Document, names: ReadonlySet<string>): Promise<void>
}
