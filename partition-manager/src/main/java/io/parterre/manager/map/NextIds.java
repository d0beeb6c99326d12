package io.parterre.manager.map;

/** The lowest numbers never given out; they only grow. */
record NextIds(long range, long account, long object) {
    NextIds {
        if (range <= 0 || account <= 0 || object <= 0) {
            throw new IllegalArgumentException(
                    "next ids: "
                            + range
                            + ", "
                            + account
                            + ", "
                            + object
                            + " (expected: positive)");
        }
    }

    NextIds afterRange() {
        return new NextIds(Math.addExact(range, 1), account, object);
    }

    NextIds afterAccount() {
        return new NextIds(range, Math.addExact(account, 1), object);
    }

    NextIds afterObjects(int count) {
        return new NextIds(range, account, Math.addExact(object, count));
    }
}
