/**
 * Runs after `npm ci`, on any Node: deletes the parts of packages that nothing here reads, 140 MB of 682. It must not
 * fail an installation, and does not change what the lockfile pins.
 */
import { readdirSync, rmSync } from 'node:fs'
import { basename } from 'node:path'

const packages = new URL('../../node_modules/', import.meta.url)

/** Names in a folder; none when it does not exist. */
function namesIn(folder) {
  try {
    return readdirSync(new URL(folder, packages))
  } catch {
    return []
  }
}

/** Folders with the binary of Node for this platform, which `node` installs inside itself. */
const nodeBinaries = namesIn('node/node_modules/').filter((name) => name.startsWith('node-'))
const awsPackages = ['@aws-sdk/', '@smithy/'].flatMap((scope) => namesIn(scope).map((name) => scope + name))

const unread = [
  // Headers to compile native modules with, and npm's manual.
  ...nodeBinaries.flatMap((name) => ['include', 'share'].map((part) => `node/node_modules/${name}/${part}`)),
  // The CDK's interface for languages other than JavaScript.
  'aws-cdk-lib/.jsii.gz',
  'aws-cdk-lib/.jsii.tabl.json.gz',
  'aws-cdk-lib/rosetta',
  '@cdklabs/cdk-validator-cfnguard/.jsii',
  '@cdklabs/cdk-validator-cfnguard/rosetta',
  // Types for compilers before TypeScript 4.
  ...awsPackages.map((name) => `${name}/dist-types/ts3.4`),
  // The sources that zod is compiled from.
  'zod/src',
  // The web app is bundled from ES modules, icon by icon.
  'lucide-react/dist/cjs',
  'lucide-react/dist/lucide-react.d.ts',
  'lucide-react/dist/lucide-react.prefixed.d.ts',
  'lucide-react/dist/lucide-react.suffixed.d.ts',
  ...namesIn('@mantine/').flatMap((name) => [`@mantine/${name}/cjs`, `@mantine/${name}/styles.layer.css`]),
  ...namesIn('@tanstack/').flatMap((name) => [
    `@tanstack/${name}/src`,
    `@tanstack/${name}/build/legacy`,
    `@tanstack/${name}/dist/cjs`,
  ]),
  // The AWS command line as a Lambda layer, for a construct that the stack does not use.
  '@aws-cdk/asset-awscli-v1/lib/layer.zip',
]

/** Texts for people, and maps to sources. Licences stay. */
const isText = (name) => /\.(?:map|md|markdown)$/i.test(name) && !/^(?:licen[cs]e|notice|copying)/i.test(name)

/** The texts of all packages; none on a Node that does not list folders with what is in them. */
function texts() {
  try {
    return readdirSync(packages, { recursive: true }).filter((path) => isText(basename(path)))
  } catch {
    return []
  }
}

for (const path of [...unread, ...texts()]) {
  try {
    rmSync(new URL(path, packages), { recursive: true, force: true })
  } catch {
    // A file in use, on Windows for example: it stays.
  }
}
