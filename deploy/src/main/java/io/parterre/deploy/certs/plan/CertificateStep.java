package io.parterre.deploy.certs.plan;

/**
 * A change of one Secret. A step may run twice. After each step the plan is made again from the
 * current state.
 */
public sealed interface CertificateStep {
    <R> R match(Cases<R> cases);

    /** One method per kind. */
    interface Cases<R> {
        R makeIssuer(MakeIssuer step);

        R makeNextIssuer(MakeNextIssuer step);

        R promoteIssuer(PromoteIssuer step);

        R dropIssuer(DropIssuer step);

        R issue(Issue step);

        R trust(Trust step);
    }

    /** Make the first issuer. */
    record MakeIssuer() implements CertificateStep {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.makeIssuer(this);
        }
    }

    /** Make an issuer that is trusted from now on and signs nothing yet. */
    record MakeNextIssuer() implements CertificateStep {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.makeNextIssuer(this);
        }
    }

    /** Let the next issuer sign from now on; the current one becomes the previous one. */
    record PromoteIssuer() implements CertificateStep {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.promoteIssuer(this);
        }
    }

    /** Stop trusting the previous issuer. */
    record DropIssuer() implements CertificateStep {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.dropIssuer(this);
        }
    }

    /** Issue another certificate, signed by the current issuer. */
    record Issue(WantedCertificate wanted, Reason reason) implements CertificateStep {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.issue(this);
        }
    }

    /** Keep the certificate, and change the issuers that its holder trusts. */
    record Trust(WantedCertificate wanted) implements CertificateStep {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.trust(this);
        }
    }

    /** Why a certificate is made. */
    enum Reason {
        MISSING("there was none"),
        UNREADABLE("what was there cannot be read"),
        OTHER_NAMES("it named others"),
        OTHER_ISSUER("the issuer has changed"),
        ENDS("a third of its life was left");

        private final String words;

        Reason(String words) {
            this.words = words;
        }

        /** Returns the reason as part of a sentence. */
        @Override
        public String toString() {
            return words;
        }
    }
}
