import { type Options, Parser, tokTypes, type TokenType } from 'acorn'

/**
 * JavaScript with the arrow calls of the specification (`$api->find(...)`, `$x?->y`). JavaScript has no token `->`: a minus
 * before `>` is never valid, and `-->` is read as `--` and `>` before we look. So the tokenizer alone decides, and since it
 * is the parser's own it knows strings, templates, regular expressions and comments for what they are.
 */
const options: Options = {
  ecmaVersion: 2024,
  // A script runs as the body of a function: `return` is allowed and `let x; var x` is not.
  sourceType: 'commonjs',
  allowHashBang: false,
}

/** What acorn's tokenizer offers its plugins and leaves out of its types. */
interface Tokenizer {
  readonly input: string
  readonly pos: number
  readonly start: number
  readonly type: TokenType
  readonly value: unknown
  finishOp(type: TokenType, characters: number): void
  raise(position: number, message: string): never
  readToken_plus_min(code: number): void
  readToken_question(): void
  parseExprImport(...rest: unknown[]): unknown
  parseStatement(context: string | null, ...rest: unknown[]): unknown
}

const AcornParser = Parser as unknown as new (options: Options, input: string) => Tokenizer & { parse(): unknown }

const { _return, _if, _for, _while, _do, _switch, _var, _const, _class } = tokTypes as unknown as Record<
  string,
  TokenType
>
const withoutPosition = new Set([_return, _if, _for, _while, _do, _switch, _var, _const, _class])

class ArrowParser extends AcornParser {
  readonly arrows = new Set<number>()
  readonly statements: number[] = []

  override readToken_plus_min(code: number): void {
    if (!this.input.startsWith('->', this.pos)) return super.readToken_plus_min(code)
    this.arrows.add(this.pos)
    this.finishOp(tokTypes.dot as TokenType, 2)
  }

  override readToken_question(): void {
    if (!this.input.startsWith('?->', this.pos)) return super.readToken_question()
    this.arrows.add(this.pos)
    this.finishOp(tokTypes.questionDot as TokenType, 3)
  }

  override parseStatement(context: string | null, ...rest: unknown[]): unknown {
    // Only where one more statement may stand: not as the body of an `if` or a loop.
    if (context === null && (withoutPosition.has(this.type) || (this.type === tokTypes.name && this.value === 'let')))
      this.statements.push(this.start)
    return super.parseStatement(context, ...rest)
  }

  override parseExprImport(): never {
    return this.raise(this.pos, 'A script cannot import')
  }
}

export interface ReadScript {
  /** Plain JavaScript, of the same length line by line: every place in it is a place in the author's text. */
  readonly code: string
  /** Where the statements begin for which QuickJS notes no place of its own, in order. */
  readonly statements: readonly number[]
}

/** Throws acorn's SyntaxError (`pos` is the place). */
export function readScript(script: string): ReadScript {
  const parser = new ArrowParser(options, script)
  parser.parse()
  let code = ''
  let from = 0
  for (const at of [...parser.arrows].toSorted((a, b) => a - b)) {
    // The blank stands in front: `1.` would be a number, `1 .` is not. `?.` cannot be parted.
    const [written, read] = script[at] === '?' ? ['?->', '?. '] : ['->', ' .']
    code += script.slice(from, at) + read
    from = at + written.length
  }
  return { code: code + script.slice(from), statements: parser.statements }
}
