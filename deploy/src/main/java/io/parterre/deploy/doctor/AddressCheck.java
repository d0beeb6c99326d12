package io.parterre.deploy.doctor;

import io.parterre.deploy.node.StartProbe;

/** Addresses that a process is to listen on. Pure. */
final class AddressCheck {
    private AddressCheck() {}

    /**
     * Judges an address.
     *
     * @param running whether a process holds the data folder: then it listens there, most likely
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
