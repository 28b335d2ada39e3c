import type { Principal } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Section } from './section.ts'
import type { Named } from './sections.ts'

/** The administration of the objects of a section. */
interface Administration<T, Input, Deps> {
  allFresh(services: Deps, tenant: TenantRef): Promise<readonly T[]>
  nameOf(one: T): string
  documentOf(one: T): object
  complete<D extends object>(document: D, before: D | undefined): D
  create(services: Deps, caller: Principal, input: Input): Promise<unknown>
  change(services: Deps, caller: Principal, id: number, input: Input): Promise<unknown>
}

interface SectionParts<T, Document extends Named, Input> {
  readonly openCheck: Section<Document>['openCheck']
  readonly complete?: Section<Document>['complete']
  /** Describes stored objects without ids; what administrators set when left out. */
  readonly documentsOf?: (tenant: TenantRef, all: readonly T[]) => Promise<readonly Document[]> | readonly Document[]
  /** Finds the existing object of a document; by the names of all when left out. */
  readonly idOf?: (document: Document, tenant: TenantRef) => Promise<number | undefined>
  /** The document as the administration takes it; as it is when left out. */
  readonly inputOf?: (document: Document, tenant: TenantRef) => Promise<Input> | Input
}

/** A section of configured objects that are known by the name in their document. */
export function objectSection<T extends { readonly id: number }, Document extends Named, Input, Deps>(
  object: Administration<T, Input, Deps>,
  services: Deps,
  {
    openCheck,
    complete = object.complete,
    documentsOf = (_, all) => all.map((one) => object.documentOf(one) as Document),
    idOf = async ({ name }, tenant) =>
      (await object.allFresh(services, tenant)).find((one) => object.nameOf(one) === name)?.id,
    inputOf = (document) => document as unknown as Input,
  }: SectionParts<T, Document, Input>,
): Section<Document> {
  return {
    async read({ tenant }) {
      const documents = await documentsOf(tenant, await object.allFresh(services, tenant))
      return new Map(documents.map((document) => [document.name, document]))
    },
    complete,
    openCheck,
    async create(author, document) {
      await object.create(services, author, await inputOf(document, author.tenant))
    },
    async change(author, document) {
      const id = await idOf(document, author.tenant)
      if (id !== undefined) await object.change(services, author, id, await inputOf(document, author.tenant))
    },
  }
}
