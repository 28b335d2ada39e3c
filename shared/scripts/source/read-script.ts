import { type Options, Parser, tokTypes, type TokenType } from 'acorn'

/**
 * Parses JavaScript with the arrow calls of the specification (`$api->find(...)`, `$x?->y`). JavaScript has no token
 * `->`, and acorn reads `-->` as `--` and `>` first, so extending its tokenizer is enough.
 */
const options: Options = {
  ecmaVersion: 2024,
  // A script runs as the body of a function: `return` is allowed and `let x; var x` is not.
  sourceType: 'commonjs',
  allowHashBang: false,
}

/** Members of acorn's tokenizer that plugins use and its types omit. */
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
    // Only where a further statement is allowed: not for the body of an `if` or a loop.
    if (context === null && (withoutPosition.has(this.type) || (this.type === tokTypes.name && this.value === 'let')))
      this.statements.push(this.start)
    return super.parseStatement(context, ...rest)
  }

  override parseExprImport(): never {
    return this.raise(this.pos, 'A script cannot import')
  }
}

export interface ReadScript {
  /** Plain JavaScript. Every line has the length of the author's line, so positions are the same. */
  readonly code: string
  /** The offsets of the statements for which QuickJS records no position of their own, in order. */
  readonly statements: readonly number[]
}

/** The syntax tree of a script, in the form of ESTree. @throws acorn's SyntaxError, whose `pos` is the offset. */
export const parseScript = (script: string): unknown => new ArrowParser(options, script).parse()

/** Parses a script. @throws acorn's SyntaxError, whose `pos` is the offset. */
export function readScript(script: string): ReadScript {
  const parser = new ArrowParser(options, script)
  parser.parse()
  let code = ''
  let from = 0
  for (const at of [...parser.arrows].toSorted((a, b) => a - b)) {
    // The blank comes first, because `1.` would be a number. `?.` must stay together.
    const [written, read] = script[at] === '?' ? ['?->', '?. '] : ['->', ' .']
    code += script.slice(from, at) + read
    from = at + written.length
  }
  return { code: code + script.slice(from), statements: parser.statements }
}
