import { checkSnippet } from '../../../automation/snippets/check-snippet.ts'
import type { SnippetDocument, SnippetInput } from '../../../automation/snippets/schema.ts'
import type { Snippet } from '../../../automation/snippets/snippet.ts'
import { type SnippetDependencies, snippetNamesNow, snippets } from '../../../automation/snippets/snippets.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import { objectSection } from './object-section.ts'
import type { Section } from './section.ts'
import { namesAdded, tablesToBe } from './tables-to-be.ts'

/** The snippets of a configuration. */
export const snippetSection = (
  services: SnippetDependencies & { readonly tables: Pick<Tables, 'find' | 'all'> },
): Section<SnippetDocument> =>
  objectSection<Snippet, SnippetDocument, SnippetInput, SnippetDependencies>(snippets, services, {
    openCheck({ tenant }, _existing, whole) {
      const now = snippetNamesNow(services, tenant)
      const names = {
        tables: tablesToBe(services.tables, tenant, whole).all,
        roles: async () => [...(await now.roles()), ...namesAdded(whole).roles],
      }
      return Promise.resolve(({ body, model = null, roles = null }) => checkSnippet(names, { body, model, roles }))
    },
  })
