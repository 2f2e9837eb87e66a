// ESLint rules that find faults. Prettier formats. TypeScript and svelte-check report unused and unknown names.
import eslint from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import { defineConfig } from 'eslint/config'
import typescript from 'typescript-eslint'

const nodeTest = { from: 'package', package: 'node:test', name: ['describe', 'it', 'test', 'suite'] }

export default defineConfig(
  {
    ignores: ['dist', 'target', 'runs', 'test-results', 'www/src/wasm', 'www/src/protocol'],
  },
  eslint.configs.recommended,
  typescript.configs.recommended,
  svelte.configs.recommended,
  {
    rules: {
      'no-undef': 'off',
      'no-unused-vars': 'off',
      '@typescript-eslint/no-unused-vars': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      // Collections without reactivity are deliberate.
      'svelte/prefer-svelte-reactivity': 'off',
      'svelte/no-useless-mustaches': 'off',
      // Warnings of svelte-check are not known here.
      'svelte/no-unused-svelte-ignore': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: typescript.parser } },
  },
  {
    // Rules that need types. Not for components, whose types take minutes to compute.
    files: ['**/*.ts', '**/*.mjs'],
    ignores: ['**/*.svelte.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [nodeTest] }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
    },
  },
)
