import { describe, expect, it } from 'vitest'
import { fitsType, isImageType, servedType } from '../../../../../shared/tables/files/content-type.ts'

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const contents = {
  png: bytes('89504e470d0a1a0a 0000000d49484452'),
  jpeg: bytes('ffd8ffe0 00104a464946'),
  gif: Buffer.from('GIF89a'),
  webp: Buffer.from('RIFF\u0001\u0001\u0001\u0001WEBPVP8 '),
  heic: bytes('00000018 66747970 68656963 00000000 6d696631'),
  pdf: Buffer.from('%PDF-1.7'),
  zip: bytes('504b0304 14000000'),
  ole: bytes('d0cf11e0a1b11ae1'),
  exe: bytes('4d5a9000 03000000'),
  text: Buffer.from('name;größe\r\n1;2'),
  html: Buffer.from('<!doctype html>'),
}

describe('fitsType', () => {
  it.each<[string, keyof typeof contents]>([
    ['image/png', 'png'],
    ['image/jpeg', 'jpeg'],
    ['image/gif', 'gif'],
    ['image/webp', 'webp'],
    ['image/heic', 'heic'],
    ['application/pdf', 'pdf'],
    ['application/zip', 'zip'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'zip'],
    ['application/vnd.oasis.opendocument.text', 'zip'],
    ['application/msword', 'ole'],
    ['text/csv', 'text'],
    ['text/html', 'html'],
    ['application/json', 'text'],
    ['application/octet-stream', 'exe'],
    ['application/x-something', 'png'],
  ])('accepts %s with content that begins like %s', (type, content) =>
    expect(fitsType(type, contents[content])).toBe(true),
  )

  it.each<[string, keyof typeof contents]>([
    ['image/png', 'exe'],
    ['image/png', 'jpeg'],
    ['image/jpeg', 'html'],
    ['image/heic', 'png'],
    ['image/x-unheard-of', 'png'],
    ['application/pdf', 'html'],
    ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'ole'],
    ['text/plain', 'exe'],
    ['text/csv', 'png'],
  ])('refuses %s with content that begins like %s', (type, content) =>
    expect(fitsType(type, contents[content])).toBe(false),
  )

  it.each(['image/png', 'application/pdf', 'application/zip'])('refuses %s without content', (type) =>
    expect(fitsType(type, new Uint8Array())).toBe(false),
  )
})

it('our choice: SVG is a document, not an image', () => {
  expect([isImageType('image/png'), isImageType('image/svg+xml'), isImageType('toString')]).toEqual([
    true,
    false,
    false,
  ])
})

it.each([
  ['text/html', 'application/octet-stream'],
  ['image/svg+xml', 'application/octet-stream'],
  ['application/xhtml+xml', 'application/octet-stream'],
  ['text/javascript', 'application/octet-stream'],
  ['image/png', 'image/png'],
  ['application/pdf', 'application/pdf'],
  ['text/plain', 'text/plain'],
])('%s is served as %s', (type, served) => expect(servedType(type)).toBe(served))
