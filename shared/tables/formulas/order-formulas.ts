/**
 * Orders computed fields so that each comes after those that it uses, or names the fields of a circle. `uses`: the names
 * in each formula.
 */
export function orderFormulas(
  uses: ReadonlyMap<string, ReadonlySet<string>>,
): { readonly order: readonly string[] } | { readonly circle: readonly string[] } {
  const order: string[] = []
  const done = new Set<string>()
  let circle: readonly string[] | undefined

  function visit(name: string, path: readonly string[]): void {
    if (circle || done.has(name)) return
    if (path.includes(name)) {
      circle = [...path.slice(path.indexOf(name)), name]
      return
    }
    for (const used of uses.get(name) ?? []) if (uses.has(used)) visit(used, [...path, name])
    done.add(name)
    order.push(name)
  }

  for (const name of uses.keys()) visit(name, [])
  return circle ? { circle } : { order }
}
