import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where the API listens while the interface runs on Vite's own server (`npm run dev`). */
const apiUrl = process.env['API_URL'] ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [
    // The React Compiler takes only what asks for it ('use memo'): memoising every small component
    // made the dashboard's chunk half as large again and the landing page's too large.
    react({ compiler: { compilationMode: 'annotation' } }),
    tailwindcss(),
  ],
  server: {
    host: '127.0.0.1',
    strictPort: true,
    port: Number(process.env['WEB_PORT'] ?? 5173),
    proxy: {
      '/api': apiUrl,
      '/presets': apiUrl,
      '/files': apiUrl,
      '/manifest.webmanifest': apiUrl,
    },
  },
  build: {
    manifest: true,
    // Nothing is turned into a data: address, so that the content security policy can stay strict.
    assetsInlineLimit: 0,
    modulePreload: false,
    target: 'es2023',
  },
  worker: { format: 'es' },
})
