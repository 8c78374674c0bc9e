/** The red box above a form; its live region is always there, so that a change is announced. */
export function FormError({ message }: { message: string | null }) {
  return (
    <div role="alert">
      {message ? <p className="error-box mt-5 font-semibold text-red">{message}</p> : null}
    </div>
  )
}
