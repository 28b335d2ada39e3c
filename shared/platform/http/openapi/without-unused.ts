import type { OpenApiDocument } from './document-types.ts'

/** The document with those schemas only to which something in it leads. */
export function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const { schemas, ...others } = document.components
  const reached = new Set<string>()
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (reached.has(name)) continue
      reached.add(name)
      follow(schemas[name])
    }
  }
  follow([document.paths, others])
  return {
    ...document,
    components: {
      ...others,
      schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => reached.has(name))),
    },
  }
}
