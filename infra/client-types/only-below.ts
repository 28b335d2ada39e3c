import type { OpenApiDocument } from '../../shared/platform/http/openapi/document-types.ts'
import { withoutUnused } from '../../shared/platform/http/openapi/without-unused.ts'

/** The document with only the addresses that begin with `prefix`, and what they need. Throws when there are none. */
export function onlyBelow(document: OpenApiDocument, prefix: string): OpenApiDocument {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith(prefix)))
  if (Object.keys(paths).length === 0) throw new Error(`There is no address that begins with ${prefix}.`)
  const used = JSON.stringify(paths)
  const parameters = Object.fromEntries(
    Object.entries(document.components.parameters ?? {}).filter(([name]) =>
      used.includes(`"#/components/parameters/${name}"`),
    ),
  )
  return withoutUnused({ ...document, paths, components: { ...document.components, parameters } })
}
