/**
 * Whether giving to this fund shows a donor's faith. To see who gave, people need the right `faith.see`, and each look
 * is recorded.
 */
export const showsFaith = (fund: string): boolean => fund === "zakat" || fund === "qurban";
