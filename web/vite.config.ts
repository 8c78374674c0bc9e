import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Where the API listens while the interface runs on Vite's own server (`npm run dev`). */
const apiUrl = process.env['API_URL'] ?? 'http://127.0.0.1:3000'
const apiPaths = ['/api', '/brand', '/presets', '/files', '/manifest.webmanifest', '/sandbox']

/** What the server writes into the page, as Vite's own server has to show something, too. */
const nameInTitle: Plugin = {
  name: 'name-in-title',
  apply: 'serve',
  transformIndexHtml: (page) =>
    page.replace('{brand}', 'Starside').replace(/\{line:([^}]*)\}/, '$1'),
}

export default defineConfig({
  plugins: [
    nameInTitle,
    // The React Compiler takes only what asks for it ('use memo'): memoising every small component
    // made the dashboard's chunk half as large again and the landing page's too large.
    react({ compiler: { compilationMode: 'annotation' } }),
    tailwindcss(),
  ],
  // Texts: a whole file is read, so that its keys are not exported one by one.
  json: { namedExports: false },
  server: {
    host: '127.0.0.1',
    strictPort: true,
    port: Number(process.env['WEB_PORT'] ?? 5173),
    proxy: Object.fromEntries(apiPaths.map((path) => [path, apiUrl])),
  },
  build: {
    manifest: true,
    // Nothing is turned into a data: address, so that the content security policy can stay strict.
    assetsInlineLimit: 0,
    modulePreload: false,
    target: 'es2023',
    rolldownOptions: {
      output: {
        // Texts by area and language, as the files of all languages have the same names.
        chunkFileNames: ({ facadeModuleId }) => {
          const [, language, area] = /texts\/(\w+)\/(\w+)\.json$/.exec(facadeModuleId ?? '') ?? []
          return area ? `assets/${area}.${language}-[hash].js` : 'assets/[name]-[hash].js'
        },
      },
    },
  },
  worker: { format: 'es' },
})
