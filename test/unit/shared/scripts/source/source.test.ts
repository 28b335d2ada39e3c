import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parse } from 'acorn'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../shared/kernel/failures/faults.ts'
import { wrapSource } from '../../../../../shared/scripts/sandbox/worker/wrap-source.ts'
import {
  type CheckedSource,
  checkSource,
  ScriptSyntaxError,
} from '../../../../../shared/scripts/source/check-source.ts'

const rewritten = (script: string): string => checkSource(script).code

function refusalOf(script: string): ScriptSyntaxError {
  try {
    checkSource(script)
  } catch (error) {
    if (error instanceof ScriptSyntaxError) return error
    throw error
  }
  throw new Error(`accepted: ${script}`)
}

describe('arrow calls', () => {
  it.each([
    [
      `$c = $api->find('clients', 'email', $incoming->from_email);`,
      `$c = $api .find('clients', 'email', $incoming .from_email);`,
    ],
    ['$api -> find (1)', '$api  . find (1)'],
    ['$api->find(1)->name', '$api .find(1) .name'],
    ['$api\n  ->find(1)\n  ->name', '$api\n   .find(1)\n   .name'],
    [`$data['a']->b = 1`, `$data['a'] .b = 1`],
    ['$x?->y', '$x?. y'],
    ['1->toFixed()', '1 .toFixed()'],
    ['a->if', 'a .if'],
    ['a/b->c/d', 'a/b .c/d'],
    ['x = y / 2; z->w / 3; /->/.test(q)', 'x = y / 2; z .w / 3; /->/.test(q)'],
    ['const f = (a) => a->b', 'const f = (a) => a .b'],
    ['a=()=>{};b->c', 'a=()=>{};b .c'],
    ['class A { #p; q() { return this->#p } }', 'class A { #p; q() { return this .#p } }'],
    ["`a->b ${$api->find('x->y')} c->d`", "`a->b ${$api .find('x->y')} c->d`"],
    ['`${`a->b`}->${x->y}`', '`${`a->b`}->${x .y}`'],
    [`a->b->c(d->e)['f']->g`, `a .b .c(d .e)['f'] .g`],
  ])('reads %s', (script, code) => {
    expect(rewritten(script)).toBe(code)
  })

  it.each([
    `'$api->find'`,
    `"a->b"`,
    '`a->b`',
    '// a->b\n/* c->d */ x',
    '<!-- a->b\nx',
    'x\n--> a->b',
    '/a->b/.test(s)',
    'x=/[/]->y/g',
    'if(a)/re->x/.test(b)',
    'return /a->b/',
    'a-->b',
    'while (i-- > 0) {}',
    'while(i-->0){}',
    'x => y',
    'a - b > c',
  ])('leaves %s as it is', (script) => {
    expect(rewritten(script)).toBe(script)
  })

  it.each(['x = ->y', 'a->[0]', 'a - >b', 'i---> 3', 'a ? -> b : c', 'a->'])('refuses %s', (script) => {
    expect(refusalOf(script).line).toBe(1)
  })
})

describe('a script', () => {
  it.each([
    ['ends with a top-level return', 'if (a) return\nreturn 5'],
    ['assigns without declaring', '$c = 1'],
    ['throws an Exception', `throw new Exception("...")`],
    ['uses with, octal literals and arguments', 'with (a) { b = 010 + arguments.length }'],
    ['uses recent JavaScript syntax', 'a ??= b?.c; class X { static #y = 1 }'],
    ['is empty', ''],
  ])('%s', (_, script) => {
    expect(rewritten(script)).toBe(script)
  })

  it.each([
    ['closes the wrapper', '});(function(){'],
    ['closes the wrapper before a comment', '}/*'],
    ['opens a comment over the end of the wrapper', '/* never closed'],
    ['imports', `import fs from 'node:fs'`],
    ['imports dynamically', `import('node:fs')`],
    ['exports', 'export const a = 1'],
    ['awaits at the top level', 'await 1'],
    ['is PHP', `$x = array('a' => 1);`],
    ['declares twice', 'let x; var x'],
    ['is nested too deeply to parse', '('.repeat(60_000)],
    ['is too long', ';'.repeat(65_537)],
    ['contains a NUL', 'a = "\0"'],
    ['contains a lone surrogate', 'a = "\ud800"'],
    ['has a shebang', '#!/usr/bin/node'],
  ])('is refused when it %s', (_, script) => {
    expect(refusalOf(script)).toBeInstanceOf(Invalid)
  })

  it('is refused with line, column and the text of the line', () => {
    const error = refusalOf(`$c = $api->find('a');\r\n  if ($c->name == ) {\n}`)
    expect(error).toMatchObject({ message: 'Unexpected token', line: 2, column: 19, excerpt: '  if ($c->name == ) {' })
    expect(error.errors).toEqual({ script: ['Unexpected token (line 2, column 19)'] })
    expect(error.details).toMatchObject({ line: 2, column: 19 })
  })

  it('shows the wrong part of a long line', () => {
    const { excerpt } = refusalOf(`${'a + '.repeat(100)} @ ${' + b'.repeat(100)}`)
    expect(excerpt).toContain('@')
    expect(excerpt.length).toBeLessThanOrEqual(120)
  })

  it('is parsed once', () => {
    expect(checkSource('$data.a = 1')).toBe(checkSource('$data.a = 1'))
  })

  it('is parsed again after many others', () => {
    const first = checkSource('first')
    for (let i = 0; i < 600; i++) checkSource(`other(${i})`)
    expect(checkSource('first')).not.toBe(first)
    expect(checkSource('first')).toEqual(first)
  })
})

/** Real code, cut at top-level statements; the pieces that are scripts. */
function piecesOfALibrary(): CheckedSource[] {
  const library = readFileSync(createRequire(import.meta.url).resolve('acorn'), 'utf8')
  return library.split(/\n(?= {2}(?:var|pp))/).flatMap((text) => {
    try {
      return [checkSource(text)]
    } catch (error) {
      if (error instanceof ScriptSyntaxError) return []
      throw error
    }
  })
}

describe('rewriting', () => {
  const name = fc.constantFrom('a', '$data', '$api', 'b1')
  const inert = fc.oneof(
    fc.string().map((text) => JSON.stringify(`${text}->${text}`).replaceAll(/[\u2028\u2029]/g, '')),
    fc.constantFrom('`x->y`', "'p->q'", '/->/', '/[/]->x/gi', '/* a->b */ 1', '(i-->0)', '(i-- > j)', '((x) => x)'),
  )
  const access = fc.tuple(name, fc.array(name, { maxLength: 4 }))
  const operand = fc.oneof(
    inert.map((text) => ({ arrow: text, dot: text })),
    access.map(([first, rest]) => ({ arrow: [first, ...rest].join('->'), dot: [first, ...rest].join(' .') })),
  )
  const joint = fc.constantFrom(' + ', ' > ', ' - ', ', ', '\n&& ', ';\n', ' // x->y\n + ')

  it('changes arrow calls and nothing else', () => {
    fc.assert(
      fc.property(operand, fc.array(fc.tuple(joint, operand), { maxLength: 6 }), (first, rest) => {
        const write = (form: 'arrow' | 'dot'): string =>
          first[form] + rest.map(([between, part]) => between + part[form]).join('')
        expect(rewritten(write('arrow'))).toBe(write('dot'))
      }),
    )
  })

  it('keeps the length of every line', () => {
    const lengths = (text: string): number[] => text.split('\n').map((line) => line.length)
    fc.assert(
      fc.property(fc.array(operand), (parts) => {
        const script = parts.map(({ arrow }) => arrow).join('\n;')
        expect(lengths(rewritten(script))).toEqual(lengths(script))
      }),
    )
  })

  it('changes nothing in scripts that are JavaScript already', () => {
    const library = readFileSync(createRequire(import.meta.url).resolve('acorn'), 'utf8')
    const pieces = piecesOfALibrary()
    expect(pieces.length).toBeGreaterThan(50)
    for (const { code } of pieces) expect(library).toContain(code)
  })
})

describe('the markers of statements', () => {
  const hasNoMarker = (offset: number, code: string): boolean =>
    !/^(?:return|if|for|while|do|switch|var|const|let|class)\b/.test(code.slice(offset))

  it('precede exactly the statements for which QuickJS records no position', () => {
    const { code, statements } = checkSource(
      `'use strict'; f(); if (a) return; else return 1\nfor (;;) { const b = 1 }\nlet $c`,
    )
    expect(statements.map((at) => code.slice(at, at + 5))).toEqual(['if (a', 'for (', 'const', 'let $'])
  })

  it('keep real code well-formed', () => {
    for (const source of piecesOfALibrary()) {
      expect(source.statements.filter((at) => hasNoMarker(at, source.code))).toEqual([])
      const { body } = parse(wrapSource(source), { ecmaVersion: 2024, sourceType: 'script' })
      expect(body.map(({ type }) => type)).toEqual(['ExpressionStatement'])
    }
  })
})
