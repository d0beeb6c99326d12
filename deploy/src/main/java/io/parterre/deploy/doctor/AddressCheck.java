package io.parterre.deploy.doctor;

import io.parterre.deploy.node.StartProbe;

/** Checks addresses on which a process is to listen. Pure. */
final class AddressCheck {
    private AddressCheck() {}

    /**
     * Judges an address.
     *
     * @param running whether a process holds the data folder; then this process most likely listens
     *     there
     */
    static Finding judge(StartProbe.Address address, boolean running) {
        String subject = "address";
        if (address.refusal().isEmpty()) {
            return running
                    ? Finding.warning(
                            subject,
                            address.text()
                                    + " is free, though a process uses the data folder: does it"
                                    + " start, or listen elsewhere?")
                    : Finding.ok(subject, address.text() + " is free");
        }
        return running && address.taken()
                ? Finding.ok(
                        subject, address.text() + " is taken, and a process uses the data folder")
                : Finding.problem(subject, address.refusal().get());
    }
}
