import { expect, it } from 'vitest'
import { readArticle } from '../../../web/parts/article/article-blocks.ts'
import { processorMs } from '../../make/processor-time.ts'

it('reads what the editor writes, and leaves plain text as it is', () => {
  expect(
    readArticle(
      '## A *b*\n\none\ntwo **three** `4*5*`\n\n- x\n- [y](https://example.com/)\n1. z\n> q\n```\n**no**\n```',
    ),
  ).toEqual([
    { kind: 'heading', level: 2, content: ['A ', { kind: 'em', content: ['b'] }] },
    {
      kind: 'paragraph',
      content: [
        'one',
        { kind: 'break' },
        'two ',
        { kind: 'strong', content: ['three'] },
        ' ',
        { kind: 'code', text: '4*5*' },
      ],
    },
    {
      kind: 'list',
      isOrdered: false,
      items: [['x'], [{ kind: 'link', href: 'https://example.com/', content: ['y'] }]],
    },
    { kind: 'list', isOrdered: true, items: [['z']] },
    { kind: 'quote', content: ['q'] },
    { kind: 'code', text: '**no**' },
  ])
  for (const plain of ['5 * 3 * 2', 'a ** b', '[x](javascript:alert(1))', '**', '<b>no</b>', '[a](data:text/html,x)'])
    expect(readArticle(plain)).toEqual([{ kind: 'paragraph', content: [plain] }])
  expect(readArticle(String.raw`\# no \*heading\* 1\. x \](y)`)).toEqual([
    { kind: 'paragraph', content: ['# no *heading* 1. x ](y)'] },
  ])
})

it('takes time in proportion to the length of a hostile text', async () => {
  for (const part of ['**a', '*a', '[a', '[a](', '`a', '\\', '> ', '***'])
    expect(await processorMs(() => readArticle(part.repeat(100_000 / part.length)))).toBeLessThan(2_000)
})
