import { configure } from "@testing-library/react";

// Parts load when they are needed, and the machine may be busy.
configure({ asyncUtilTimeout: 20_000 });
