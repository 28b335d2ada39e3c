/**
 * Route matching of an HTTP API: `GET /things/{id}`, `ANY /files/{path+}`, `$default`. The most specific route wins:
 * by segment, a literal before a parameter before a greedy parameter; then a method before ANY.
 */
export interface RouteMatch<T> {
  readonly routeKey: string
  readonly target: T
  readonly pathParameters: Record<string, string> | undefined
}

/** A malformed percent escape: answered with 400. */
export class MalformedPath extends Error {
  override readonly name = 'MalformedPath'
}

interface Leaf<T> {
  readonly routeKey: string
  readonly target: T
  readonly names: readonly string[]
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>
  parameter?: Node<T>
  readonly leaves: Map<string, Leaf<T>>
  readonly greedyLeaves: Map<string, Leaf<T>>
}

const newNode = <T>(): Node<T> => ({ literals: new Map(), leaves: new Map(), greedyLeaves: new Map() })

/** Compiles routes to a matcher of method and path (as received). */
export function compileRoutes<T>(
  routes: readonly { routeKey: string; target: T }[],
): (method: string, path: string) => RouteMatch<T> | undefined {
  const root = newNode<T>()
  let fallback: RouteMatch<T> | undefined

  for (const { routeKey, target } of routes) {
    if (routeKey === '$default') {
      fallback = { routeKey, target, pathParameters: undefined }
      continue
    }
    const [method = '', path = ''] = routeKey.split(' ')
    const names: string[] = []
    let node = root
    let greedy = false
    for (const segment of segmentsOf(path)) {
      const parameter = /^\{([^}+]+)(\+?)\}$/.exec(segment)
      if (!parameter) {
        const next = node.literals.get(segment) ?? newNode<T>()
        node.literals.set(segment, next)
        node = next
        continue
      }
      names.push(parameter[1]!)
      greedy = parameter[2] === '+'
      if (!greedy) node = node.parameter ??= newNode<T>()
    }
    const leaves = greedy ? node.greedyLeaves : node.leaves
    leaves.set(method, { routeKey, target, names })
  }

  function find(
    node: Node<T>,
    segments: readonly string[],
    at: number,
    values: readonly string[],
    method: string,
  ): RouteMatch<T> | undefined {
    const segment = segments[at]
    if (segment === undefined) {
      const leaf = node.leaves.get(method) ?? node.leaves.get('ANY')
      return leaf && matchOf(leaf, values)
    }
    const literal = node.literals.get(segment)
    const found =
      (literal && find(literal, segments, at + 1, values, method)) ??
      (node.parameter && segment !== ''
        ? find(node.parameter, segments, at + 1, [...values, segment], method)
        : undefined)
    if (found) return found
    const leaf = node.greedyLeaves.get(method) ?? node.greedyLeaves.get('ANY')
    return leaf && segment !== '' ? matchOf(leaf, [...values, segments.slice(at).join('/')]) : undefined
  }

  return (method, path) => find(root, segmentsOf(path), 0, [], method) ?? fallback
}

function matchOf<T>({ routeKey, target, names }: Leaf<T>, values: readonly string[]): RouteMatch<T> {
  if (names.length === 0) return { routeKey, target, pathParameters: undefined }
  const pathParameters: Record<string, string> = {}
  names.forEach((name, at) => (pathParameters[name] = decodePath(values[at]!)))
  return { routeKey, target, pathParameters }
}

/** The decoded path; throws MalformedPath. */
export function decodePath(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new MalformedPath(`The path holds a malformed escape: ${text}`, { cause })
  }
}

const segmentsOf = (path: string): string[] => (path === '/' ? [] : path.slice(1).split('/'))
