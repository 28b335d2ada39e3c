/** A node of the splitter's tree, as far as boundaries are concerned. */
interface BoundaryNode {
  readonly _boundary: Buffer | false
  readonly _parentBoundary: Buffer | false
  readonly _parentBoundaryOwner: BoundaryNode | false
}

/** What mailsplit's types leave out. Its version is pinned, and tests fail when these change. */
export interface Splitter<Node> {
  node: Node
  newNode(parent: Node | false | undefined): void
  checkBoundary(line: Buffer): 1 | 2 | 3 | 4 | false
  compareBoundary(line: Buffer, startpos: number, boundary: Buffer): 1 | 2 | false
}

/** Multiparts around the one that is being read, which may end it. Each line with dashes is compared with all of them. */
const maxAncestors = 20
const [tab, lineFeed, carriageReturn, space, dash] = [0x09, 0x0a, 0x0d, 0x20, 0x2d]

/**
 * Has a splitter know the delimiters that RFC 2046 §5.1 has and it does not: those with white space behind them, and those
 * of every multipart around the current one, because an inner one may lack its end (docs/decisions/0063). `leave`: what is
 * done with a node that ends without a delimiter of its own multipart.
 */
export function acceptDelimiters<Node extends BoundaryNode>(
  splitter: Splitter<Node>,
  leave: (node: Node) => void,
): void {
  splitter.compareBoundary = compareDelimiter
  const checkBoundary = splitter.checkBoundary.bind(splitter)
  splitter.checkBoundary = (line) => {
    const known = checkBoundary(line)
    if (known || line.length < 4) return known
    const at = line[0] === carriageReturn && line[1] === lineFeed ? 2 : line[0] === lineFeed ? 1 : 0
    if (line[at] !== dash || line[at + 1] !== dash) return false
    let inner = splitter.node._parentBoundaryOwner
    for (let depth = 0; inner && depth < maxAncestors; depth += 1) {
      const found = inner._parentBoundary && compareDelimiter(line, at, inner._parentBoundary)
      if (found) {
        leave(splitter.node)
        splitter.node = inner as Node
        // The next sibling of the inner multipart, or the end of the one around it.
        return found === 1 ? 3 : 4
      }
      inner = inner._parentBoundaryOwner
    }
    return false
  }
}

/** Whether a line is the delimiter of a boundary (1), or the last one (2). White space may follow, also in the parameter. */
function compareDelimiter(line: Buffer, startpos: number, boundary: Buffer): 1 | 2 | false {
  let length = boundary.length
  while (length > 1 && isPadding(boundary[length - 1])) length -= 1
  let at = startpos + 2 + length
  if (line.length < at || boundary.compare(line, startpos + 2, at, 0, length) !== 0) return false
  const isLast = line[at] === dash && line[at + 1] === dash
  if (isLast) at += 2
  while (isPadding(line[at])) at += 1
  const hasEnd = line[at] === lineFeed || line[at] === carriageReturn
  if (line[at] === carriageReturn) at += 1
  if (line[at] === lineFeed) at += 1
  if (at !== line.length) return false
  return isLast ? 2 : hasEnd && 1
}

const isPadding = (byte: number | undefined): boolean => byte === space || byte === tab
